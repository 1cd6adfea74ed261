import type { ControlSettings } from '../../config/control-settings.js';
import { publicUrl } from '../http/public-url.js';

/** The token is in the fragment: browsers send it to no server, and no log has it. */
export const invitationLink = (settings: ControlSettings, token: string): string =>
  `${publicUrl(settings)}/join#${token}`;

export const resetLink = (settings: ControlSettings, token: string): string =>
  `${publicUrl(settings)}/reset#${token}`;
