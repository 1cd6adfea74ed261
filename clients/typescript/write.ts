import { writeFileSync } from 'node:fs';
import { readApiDocument } from '../../src/control/api-document.js';
import { clientSource, resourcesSource } from './generate.js';

const write = (file: string, text: string): void => writeFileSync(new URL(file, import.meta.url), text);
write('./src/generated.ts', clientSource(await readApiDocument()));
write('./src/resources.ts', resourcesSource());
