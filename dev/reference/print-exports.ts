import { exportedNames } from './exports.js';

process.stdout.write(exportedNames('dist'));
