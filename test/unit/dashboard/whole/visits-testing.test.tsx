import { visit } from './visit-record.js';

visit((path) => path.startsWith('/testing'));
