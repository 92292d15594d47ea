"""The style of the page at /docs: no pictures, no fonts, no script, light and dark by the reader's own choice."""

STYLE = """
:root { color-scheme: light dark; --line: light-dark(#d8dde3, #3a4048); --soft: light-dark(#f4f6f8, #1e2227);
  --dim: light-dark(#57606a, #9aa4af); --link: light-dark(#0b57d0, #8ab4f8); --get: light-dark(#0a5db3, #79b8ff);
  --post: light-dark(#0d6b35, #6fdd8b);  --put: light-dark(#7a4b00, #f0b849); --delete: light-dark(#a8201a, #ff8f88); }
body { margin: 0; font: 15px/1.5 system-ui, sans-serif; background: light-dark(#fff, #15181c); color: light-dark(#1b1f24, #e4e8ec); }
a { color: var(--link); } code { font: 13px ui-monospace, monospace; overflow-wrap: anywhere; }
main { max-width: 62rem; margin: 0 auto; padding: 1.5rem; } nav ul { columns: 16rem; padding-left: 1.2rem; }
h1 { margin: 0 0 .5rem; } h2 { margin: 2.5rem 0 .3rem; padding-top: .5rem; border-top: 1px solid var(--line); }
h3 { margin: 1rem 0 .3rem; font-size: 1em; }
p { margin: .4rem 0; } .dim { color: var(--dim); }
details { border: 1px solid var(--line); border-radius: 6px; margin: .4rem 0; }
summary { padding: .45rem .7rem; cursor: pointer; }
details[open] > summary { border-bottom: 1px solid var(--line); background: var(--soft); }
details > div { padding: .3rem .9rem .9rem; }
.verb { display: inline-block; width: 4.2rem; font-weight: 700; font-size: 12px; }
.get { color: var(--get); } .post { color: var(--post); } .put { color: var(--put); } .delete { color: var(--delete); }
.mark { font-size: 12px; border: 1px solid var(--line); border-radius: 9px; padding: 0 .5rem; margin-left: .4rem; color: var(--dim); }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; vertical-align: top; padding: .25rem .8rem .25rem 0; }
th { font-weight: 600; font-size: 13px; color: var(--dim); } td { border-top: 1px solid var(--line); }
td:first-child { white-space: nowrap; }
@media (max-width: 40rem) { main { padding: 1rem; } td:first-child { white-space: normal; } }
"""
