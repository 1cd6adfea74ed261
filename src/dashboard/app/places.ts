import type { IconName } from '../parts/icon-paths.js';

/** A page in the navigation; pages below its path belong to it. */
export interface Place {
  readonly path: string;
  readonly icon: IconName;
  readonly name: string;
  /** Also in the bar of a phone, which has room for four. */
  readonly isInBar?: boolean;
  /** Only for those who see the fleet. */
  readonly isForOperators?: boolean;
}

export interface Group {
  readonly name: string;
  readonly places: readonly Place[];
}

/** The pages by the task of their reader. */
export const groups: readonly Group[] = [
  {
    name: 'Operate',
    places: [
      { path: '/', icon: 'overview', name: 'Overview', isInBar: true },
      { path: '/calls', icon: 'calls', name: 'Calls', isInBar: true },
      { path: '/alerts', icon: 'alerts', name: 'Alerts', isInBar: true },
      { path: '/contacts', icon: 'contacts', name: 'Contacts' },
    ],
  },
  {
    name: 'Build agents',
    places: [
      { path: '/personas', icon: 'personas', name: 'Personas' },
      { path: '/pathways', icon: 'pathways', name: 'Pathways' },
      { path: '/testing', icon: 'testing', name: 'Testing' },
      { path: '/knowledge', icon: 'knowledge', name: 'Knowledge' },
    ],
  },
  {
    name: 'Connect',
    places: [
      { path: '/trunks', icon: 'trunks', name: 'Trunks', isInBar: true },
      { path: '/porting', icon: 'porting', name: 'Porting' },
      { path: '/setup', icon: 'setup', name: 'Setup' },
    ],
  },
  {
    name: 'Organization',
    places: [
      { path: '/members', icon: 'members', name: 'Members' },
      { path: '/usage', icon: 'usage', name: 'Usage' },
      { path: '/webhooks', icon: 'webhooks', name: 'Webhooks' },
      { path: '/organizations', icon: 'organizations', name: 'All organizations', isForOperators: true },
    ],
  },
];

/** Whether a page belongs to a place of the navigation. */
export const isWithin = (path: string, place: string): boolean =>
  place === '/' ? path === '/' : path === place || path.startsWith(`${place}/`);
