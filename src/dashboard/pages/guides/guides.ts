import { asteriskGuide } from './asterisk.js';
import { carrierGuide } from './carriers.js';
import { cubeGuide } from './cube.js';
import { freepbxGuide } from './freepbx.js';
import type { Carrier, Guide, GuideValues, System } from './guide.js';
import { threeCxGuide } from './three-cx.js';

const guides: Readonly<Record<Exclude<System, 'Carrier'>, (values: GuideValues) => Guide>> = {
  FreePBX: freepbxGuide,
  '3CX': threeCxGuide,
  Asterisk: asteriskGuide,
  'Cisco CUBE': cubeGuide,
};

/**
 * How to connect a PBX or a carrier, with the organization's own values.
 * @throws UnwritableValue when a file of that system cannot hold one of the values
 */
export const guideOf = (system: System, carrier: Carrier, values: GuideValues): Guide =>
  system === 'Carrier' ? carrierGuide(values, carrier) : guides[system](values);
