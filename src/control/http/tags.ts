/** The groups that the reference shows operations in; every route has one of them. */
export const tags = [
  { name: 'SIP trunks', description: 'Attach numbers to your servers and monitor their trunks.' },
  { name: 'Number porting', description: 'Move numbers from another carrier to this service.' },
  {
    name: 'Personas',
    description: 'What the agents of calls and web agents know and do: versions, knowledge, numbers.',
  },
  {
    name: 'Pathways',
    description: 'What conversations follow: nodes, edges, variables and webhooks, in versions.',
  },
  { name: 'Calls', description: 'Place calls, control active ones, and read the call history.' },
  { name: 'Knowledge', description: 'Texts that agents search during calls.' },
  { name: 'Contacts', description: 'The people you talk to, and what agents remember of them.' },
  {
    name: 'Agent testing',
    description: 'Test pathways, personas and agents with simulated callers before they take calls.',
  },
  { name: 'Alerts', description: 'Who is alerted when a trunk goes down, slows, or fails calls.' },
  { name: 'Webhooks', description: 'Endpoints for events, their signing secrets, and deliveries.' },
  { name: 'NOC', description: 'Live state and statistics, as on the dashboard.' },
  { name: 'Session', description: 'Sign in to the dashboard with an API key, or with email and password.' },
  { name: 'Keys', description: 'API keys of your organization.' },
  { name: 'Members', description: 'People of your organization, their roles, and who changed what.' },
  {
    name: 'Organizations',
    description: 'For operators: create organizations, and set their limits, members, keys and entitlement.',
  },
  { name: 'Usage', description: 'Calls, minutes and peak concurrency by day.' },
] as const;

export type Tag = (typeof tags)[number]['name'];

/** Of every route that concerns a trunk. */
export const trunkTags: Tag[] = ['SIP trunks'];
