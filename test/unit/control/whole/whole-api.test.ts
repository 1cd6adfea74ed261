// One file: each worker with one of these would start its own PostgreSQL.
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
