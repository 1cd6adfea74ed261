import { describe, expect, it } from 'vitest';
import { CallTable } from '../../../../src/edge/call/call-table.js';
import { InboundCall } from '../../../../src/edge/inbound/inbound-call.js';
import { dialogNameOf, nameDefect } from '../../../../src/edge/sip/dialog-name.js';
import { CallDoubles, invitation } from '../../../support/call-doubles.js';

const never = () => false;

describe('an INVITE whose dialog name is not unique or not valid', () => {
  it('is refused while the call of an earlier one has not ended', () => {
    const doubles = new CallDoubles();
    const table = new CallTable();
    const { request, response } = invitation();
    expect(dialogNameOf(request)).toBe('sip-1;from-tag=1');
    expect(nameDefect(request, never)).toBeUndefined();
    const call = new InboundCall(doubles.deps, request, response);
    call.noteRefusal({ isUnrecorded: true });
    table.add(call);
    const isTaken = (name: string) => table.hasDialogName(name);
    const defect = nameDefect(request, isTaken);
    expect(defect).toMatchObject({ status: 500 });
    expect(Number(defect?.headers?.['Retry-After'])).toBeLessThanOrEqual(10);
    const second = invitation().request;
    Object.assign(second.headers, { from: '<sip:a@x>;tag=2' });
    expect(nameDefect(second, isTaken)).toBeUndefined();
    const within = invitation().request;
    Object.assign(within.headers, { to: '<sip:b@y>;tag=9' });
    expect(nameDefect(within, isTaken)).toBeUndefined();
    call.end({ reason: 'caller_cancelled', by: 'caller' });
    expect(nameDefect(request, isTaken)).toBeUndefined();
  });

  it('is refused when its From tag is no token', () => {
    const { request } = invitation();
    Object.assign(request.headers, { from: '<sip:a@x>;tag=t|1' });
    expect(nameDefect(request, never)).toEqual({ status: 400, reason: 'Bad From Tag' });
    Object.assign(request.headers, { from: '<sip:a@x>' });
    expect(nameDefect(request, never)).toBeUndefined();
  });
});
