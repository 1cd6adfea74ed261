import { writeFileSync } from 'node:fs';
import { readApiDocument } from '../../src/control/api-document.js';
import { clientSource } from './generate.js';

writeFileSync(new URL('./src/generated.ts', import.meta.url), clientSource(await readApiDocument()));
