import type { Check } from '../context.js';
import { addresses } from './addresses.js';
import { agent } from './agent.js';
import { certificates } from './certificates.js';
import { clock } from './clock.js';
import { database } from './database.js';
import { dns } from './dns.js';
import { engine } from './engine.js';
import { firewall } from './firewall.js';
import { limits } from './limits.js';
import { ports } from './ports.js';
import { redis } from './redis.js';
import { rtpengine } from './rtpengine.js';
import { services } from './services.js';
import { settings } from './settings.js';
import { versions } from './versions.js';

/** In the order in which they are printed: this machine first, then what it talks to. */
export const checks: readonly Check[] = [
  settings,
  versions,
  clock,
  limits,
  addresses,
  ports,
  firewall,
  dns,
  certificates,
  redis,
  database,
  rtpengine,
  engine,
  agent,
  services,
];
