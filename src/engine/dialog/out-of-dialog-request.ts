import { isOwnListener, type OwnListener } from '../../naming/egress.js';
import { parseAddress, tagOf, withTag } from '../../sip/address.js';
import { parseCSeq } from '../../sip/cseq.js';
import { newRequest, type SipRequest, type SipResponse } from '../../sip/message.js';
import { parseUri } from '../../sip/uri.js';
import type { FinalResponse } from '../transaction/transaction.js';
import {
  type Listener,
  type NextHop,
  type Received,
  type Target,
  TransportError,
} from '../transport/flow.js';
import { localAddresses } from '../transport/local-addresses.js';
import { readTrust } from '../transport/trust.js';
import { type Application, type ApplicationMessage, type Reply, refusal } from './application.js';
import { ClientRequest } from './client-request.js';
import { composeHeaders, contactsOf, contentTypeOf } from './compose.js';
import { alongFlow, type Destination, destinationOf, isPending } from './destination.js';
import { Dialog, dialogIdOf } from './dialog.js';
import type { Environment } from './environment.js';
import { advertisedHostPort, defaultContact } from './local-contact.js';
import { bracketed, substituteLocalHost } from './local-host.js';
import { nextHopOf, repairRouteUrl } from './route-set.js';
import { armSubscription } from './subscription.js';
import { UacInvite } from './uac-invite.js';

/** Methods whose target may be a registered Contact (wire protocol §11.4). */
const reachesRegistered: ReadonlySet<string> = new Set(['INVITE', 'OPTIONS', 'NOTIFY', 'MESSAGE']);
/** Methods that make a dialog, and so need a Contact. */
const formsDialog: ReadonlySet<string> = new Set(['INVITE', 'SUBSCRIBE', 'REFER']);

/** A new request of an application outside any dialog (wire protocol §6.2). */
export function sendOutOfDialog(
  environment: Environment,
  application: Application,
  message: ApplicationMessage,
  routeUrl: string,
  reply: Reply,
): void {
  const destination = chooseDestination(environment, message, routeUrl);
  if (typeof destination === 'string') {
    reply.refused(destination);
    return;
  }
  const request = completeRequest(environment, message, destination.listener);
  if (typeof request === 'string') {
    reply.refused(request);
    return;
  }
  const callId = request.headers.get('Call-ID') ?? '';
  const dialogId = dialogIdOf(callId, tagOf(request.headers.get('From') ?? '') ?? '');
  if (message.method === 'INVITE') {
    const invite = new UacInvite(environment, application, dialogId);
    invite.isKept = message.keep === true;
    invite.launch(request, destination, reply);
  } else if (message.method === 'SUBSCRIBE') {
    new UacSubscribe(environment, application, dialogId).launch(request, destination, reply);
  } else new StandaloneRequest(environment, application, '').launch(request, destination, reply);
}

function chooseDestination(
  environment: Environment,
  { method, uri, trust: trustText }: ApplicationMessage,
  routeUrl: string,
): Destination | string {
  const trust = trustText === undefined ? undefined : readTrust(trustText);
  if (trustText !== undefined && trust === undefined) return refusal.badTrust;
  if (reachesRegistered.has(method)) {
    const registered = environment.registeredFlows.find(uri);
    if (registered !== undefined) return alongFlow(registered);
  }
  const parsed = parseUri(uri);
  if (parsed === undefined || (parsed.kind !== 'sip' && routeUrl === ''))
    return `invalid request-uri: ${method} ${uri} SIP/2.0`;
  const hop = nextHopOf(routeUrl === '' ? uri : repairRouteUrl(routeUrl));
  if (hop === undefined) return `invalid request-uri: ${routeUrl}`;
  if (leadsToMyself(environment, hop)) return refusal.toMyself;
  const destination = destinationOf(environment, trust === undefined ? hop : { ...hop, trust });
  return destination === undefined ? refusal.noTransport : withoutMyself(environment, destination);
}

function leadsToMyself(environment: Environment, hop: NextHop): boolean {
  const protocol = hop.secure ? 'tls' : (hop.transport ?? 'udp');
  const port = hop.port ?? (protocol === 'tls' ? 5061 : 5060);
  return environment.transport.listeners.some(
    (listener) =>
      listener.protocol === protocol &&
      ((listener.address === hop.host && listener.port === port) ||
        (listener.advertisedHost === hop.host && listener.advertisedPort === port)),
  );
}

/** The same for the addresses of a name or a wildcard address: our own listeners are removed from the targets. */
function withoutMyself({ transport }: Environment, destination: Destination): Destination | string {
  const own = transport.listeners.flatMap(
    ({ protocol, address, port, advertisedHost, advertisedPort }): OwnListener[] => [
      { protocol, host: address, port },
      { protocol, host: advertisedHost, port: advertisedPort },
    ],
  );
  const isOther = (target: Target): boolean => !isOwnListener(target, own, localAddresses);
  const { targets } = destination;
  if (!isPending(targets)) {
    const foreign = targets.filter(isOther);
    return foreign.length === 0 ? refusal.toMyself : { ...destination, targets: foreign };
  }
  const later = targets.then((found) => {
    const foreign = found.filter(isOther);
    if (foreign.length > 0) return foreign;
    throw new TransportError(
      'dns',
      `${found[0]!.serverName.slice(0, 80)} leads to a listener of this service`,
    );
  });
  return { ...destination, targets: later };
}

/** Fills in the headers that the application omitted; returns a text when the request cannot be sent. */
function completeRequest(
  { identifiers }: Environment,
  message: ApplicationMessage,
  listener: Listener,
): SipRequest | string {
  const { method, uri } = message;
  const hostPort = advertisedHostPort(listener);
  const contentType = contentTypeOf(message);
  if (contentType === 'missing') return refusal.missingContentType;
  const from = partyOf(message.from ?? `<sip:${hostPort}>`, hostPort);
  const to = partyOf(message.to ?? `<${uri}>`, hostPort);
  if (parseAddress(from) === undefined || parseAddress(to) === undefined) return refusal.badParty;
  const cseq = message.cseq === undefined ? undefined : parseCSeq(message.cseq);
  if (message.cseq !== undefined && cseq?.method !== method) return `invalid cseq: ${message.cseq}`;
  let contacts = contactsOf(message, hostPort);
  if (contacts.length === 0 && formsDialog.has(method)) contacts = [defaultContact(listener)];
  const headers = composeHeaders(
    {
      maxForwards: message.maxForwards ?? '70',
      from: tagOf(from) === undefined ? withTag(from, identifiers.tag()) : from,
      to,
      callId: message.callId ?? identifiers.callId(),
      cseq: `${cseq?.number ?? identifiers.sequence()} ${method}`,
      contacts,
    },
    message,
    hostPort,
    contentType,
  );
  return newRequest(method, uri, headers, message.body);
}

const partyOf = (value: string, hostPort: string): string => bracketed(substituteLocalHost(value, hostPort));

/** OPTIONS, REGISTER, MESSAGE and the like: one response, no state. */
class StandaloneRequest extends ClientRequest {
  protected override onFinal({ response, received, error }: FinalResponse): void {
    this.formReferral(response, received);
    this.noteBinding(response, received);
    this.deliver(response, received, '', error);
  }

  private noteBinding(response: SipResponse, received: Received<SipResponse> | undefined): void {
    const request = this.transaction?.request;
    if (request?.method !== 'REGISTER' || received === undefined || response.status >= 300) return;
    const { application, environment } = this;
    if (application.wantsLostFlows) environment.ownBindings.accepted(application, request, received.flow);
  }

  /** An accepted REFER begins a subscription to its outcome (RFC 3515 §2.4.4). */
  private formReferral(response: SipResponse, received: Received<SipResponse> | undefined): void {
    const request = this.transaction?.request;
    if (request?.method !== 'REFER' || received === undefined || response.status >= 300) return;
    const dialog = Dialog.forClient(request, response, received.flow, this.application);
    dialog.isConfirmed = true;
    this.environment.dialogs.add(dialog);
    armSubscription(this.environment, dialog, request, response);
  }
}

/** SUBSCRIBE: its 2xx, or a NOTIFY that is faster, forms a dialog (RFC 6665 §4.4.1). */
class UacSubscribe extends ClientRequest {
  override launch(request: SipRequest, destination: Destination, reply: Reply): void {
    const { dialogs } = this.environment;
    const callId = request.headers.get('Call-ID') ?? '';
    const localTag = tagOf(request.headers.get('From') ?? '') ?? '';
    dialogs.expectNotify(callId, localTag, (notify, flow) => {
      const dialog = Dialog.forClient(request, notify, flow, this.application);
      this.establish(dialog, request, undefined);
      return dialog;
    });
    super.launch(request, destination, reply);
  }

  protected override onFinal({ response, received }: FinalResponse): void {
    const { dialogs } = this.environment;
    const request = this.transaction?.request ?? this.request!;
    const callId = request.headers.get('Call-ID') ?? '';
    const localTag = tagOf(request.headers.get('From') ?? '') ?? '';
    dialogs.forgetNotify(callId, localTag);
    if (received !== undefined && response.status < 300) {
      const remoteTag = tagOf(response.headers.get('To') ?? '') ?? '';
      const existing = dialogs.find(callId, localTag, remoteTag);
      const dialog = existing ?? Dialog.forClient(request, response, received.flow, this.application);
      this.establish(dialog, request, response);
    }
    this.deliver(response, received, this.dialogId);
  }

  private establish(dialog: Dialog, request: SipRequest, response: SipResponse | undefined): void {
    dialog.isConfirmed = true;
    this.environment.dialogs.add(dialog);
    armSubscription(this.environment, dialog, request, response);
  }
}
