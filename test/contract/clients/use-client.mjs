/** Uses the packed TypeScript client as an integrator does; the test that starts it reads the JSON line that it prints. */
import { Demarc, entries, InvalidRequestError } from '@demarc/client';

const demarc = new Demarc();
const attached = await demarc.numbers.attach({
  phone_numbers: [process.argv[2]],
  directions: [{ type: 'outbound', sip_endpoint: 'sip:pbx.example.com:5061;transport=tls' }],
  service: 'sip',
});
const names = [];
for await (const { name } of entries((after) => demarc.personas.list({ limit: 2, after }))) names.push(name);
const refused = await demarc.personas.create({ name: '' }).catch((error) => error);
let first;
for await (const { event } of demarc.events()) {
  first = event;
  break;
}
process.stdout.write(
  JSON.stringify({
    configured: attached.data.configured,
    names: names.toSorted(),
    isInvalid: refused instanceof InvalidRequestError,
    at: refused.at('name') !== undefined,
    event: first,
  }),
);
