// Money in words. Pure.

/** `$0`, `$0.00012`, `$0.042`, `$1.25`: two figures that matter, and cents from a dollar on. */
export function dollars(usd: number): string {
  if (!(usd > 0)) return "$0";
  if (usd >= 1) return `$${usd.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
  const digits = Math.min(12, 1 - Math.floor(Math.log10(usd)));
  return `$${Number(usd.toFixed(digits)).toFixed(digits).replace(/0+$/, "").replace(/\.$/, "")}`;
}
