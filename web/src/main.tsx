// Where the page begins: styles, the session, the shell. Nothing else stands here.
import { render } from "preact";
import "./style/base.css";
import "./style/shell.css";
import "./style/parts.css";
import "./style/pages.css";
import { startClock } from "./server/clock.ts";
import { begin } from "./server/session.ts";
import { App } from "./shell/app.tsx";
import { applyTheme } from "./shell/theme.ts";

applyTheme();
startClock();
void begin();
const root = document.getElementById("app");
if (root) render(<App />, root);
