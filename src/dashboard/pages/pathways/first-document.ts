/** The document of a new pathway: complete, so that it can be tested at once. */
export const firstDocument = {
  start_node_id: 'greeting',
  nodes: [
    {
      id: 'greeting',
      name: 'Greeting',
      type: 'default',
      prompt: 'Greet the caller and ask what you can do for them.',
      extract: [{ name: 'request', type: 'string', description: 'What the caller wants.' }],
    },
    { id: 'goodbye', name: 'Goodbye', type: 'end', text: 'Thank you for your call. Goodbye.' },
  ],
  edges: [{ id: 'answered', source: 'greeting', target: 'goodbye', label: 'The caller said what they want' }],
};
