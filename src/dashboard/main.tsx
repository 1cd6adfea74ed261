import { render } from 'preact';
import 'uplot/dist/uPlot.min.css';
import './style/tokens.css';
import './style/base.css';
import './style/shell.css';
import './style/parts.css';
import './style/call.css';
import './style/pages.css';
import './style/knowledge.css';
import { App } from './shell/app.js';
import { applyTheme } from './shell/theme.js';

applyTheme();
render(<App />, document.getElementById('page')!);
