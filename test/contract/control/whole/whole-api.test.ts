import { afterAll } from 'vitest';
import './alerts.js';
import './calls.js';
import './contacts.js';
import './deliveries.js';
import './delivery-queue.js';
import './idempotency.js';
import './incidents.js';
import './orders.js';
import './pathways.js';
import './people.js';
import './porting.js';
import './resources.js';
import './test-destinations.js';
import './test-runs.js';
import './test-services.js';
import './trunks.js';
import { WholeApi } from './whole-api.js';

// One file: all of them share the server and the database.
afterAll(() => WholeApi.end());
