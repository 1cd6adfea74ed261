import { visit } from './visit-record.js';

visit((path) => /^\/(?:personas|pathways|knowledge|contacts)/.test(path));
