import { visit } from './visit-record.js';

visit((path) => !/^\/(?:testing|trunks|setup|porting|personas|pathways|knowledge|contacts)/.test(path));
