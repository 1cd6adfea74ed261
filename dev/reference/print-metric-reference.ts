import { metricReference } from './metric-reference.js';

process.stdout.write(metricReference());
