import { errorReference } from './error-reference.js';

process.stdout.write(errorReference());
