import { writeFileSync } from 'node:fs';
import { readApiDocument } from '../../src/control/api-document.js';
import { clientSource, operationsSource, typesSource } from './generate.js';

const document = await readApiDocument();
const write = (file: string, text: string): void =>
  writeFileSync(new URL(`./src/demarc/${file}`, import.meta.url), text);
write('_types.py', typesSource(document));
write('_operations.py', operationsSource(document));
write('_client.py', clientSource());
