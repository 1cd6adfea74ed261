import { render } from 'preact';
import 'uplot/dist/uPlot.min.css';
import './style/tokens.css';
import './style/base.css';
import './style/shell.css';
import './style/parts.css';
import './style/call.css';
import './style/pages.css';
import './style/knowledge.css';
import { App } from './app/app.js';
import { loadPhoneFormats } from './parts/number-text.js';
import { applyTheme } from './parts/theme.js';
import { startClock } from './parts/time.js';

applyTheme();
startClock();
const page = document.getElementById('page')!;
// Placeholder until the app mounts.
page.replaceChildren();
render(<App />, page);
// Numbers are legible without them.
void loadPhoneFormats().catch(() => undefined);
