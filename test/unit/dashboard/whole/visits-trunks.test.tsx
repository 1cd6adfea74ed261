import { visit } from './visit-record.js';

visit((path) => /^\/(?:trunks|setup|porting)/.test(path));
