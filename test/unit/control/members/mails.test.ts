import { describe, expect, it } from 'vitest';
import type { ControlSettings } from '../../../../src/config/control-settings.js';
import { invitationLink, resetLink } from '../../../../src/control/members/links.js';
import { invitationMail, resetMail, sendLink } from '../../../../src/control/members/mails.js';

describe('the link of a mail', () => {
  const settings = { notices: { publicUrl: 'https://control.example.com' } } as ControlSettings;

  it('has its token in the fragment, which no server gets', () => {
    expect(invitationLink(settings, 'abc')).toBe('https://control.example.com/join#abc');
    expect(resetLink(settings, 'abc')).toBe('https://control.example.com/reset#abc');
  });
});

describe('an invitation by mail', () => {
  it('quotes who invites and to what', () => {
    const mail = invitationMail(
      { organization: 'Acme\nBcc: x', invitedBy: 'http://evil.example', role: 'viewer' },
      'https://c.example/join#abc',
      72,
    );
    expect(mail.title).toBe('[Demarc] Invitation to “Acme Bcc: x”');
    const lines = mail.text.split('\n');
    expect(lines[0]).toBe('“http[:]//evil[.]example” invites you to “Acme Bcc: x” on Demarc as viewer.');
    expect(lines).toContain('Accept the invitation: https://c.example/join#abc');
    expect(mail.text).toContain('The link works once, for 72 hours.');
  });
});

describe('a reset by mail', () => {
  it('has the link, and says for how long it works', () => {
    const { title, text } = resetMail('https://c.example/reset#abc', 2);
    expect(title).toBe('[Demarc] Reset your password');
    expect(text.split('\n')[0]).toBe('Set a new password: https://c.example/reset#abc');
    expect(text).toContain('for 2 hours');
  });
});

describe('a mail with a link', () => {
  const send = async (outcome: object) => {
    const mails: { target: string; content: unknown; channel: string }[] = [];
    const senders = {
      email: {
        send: async (mail: (typeof mails)[number]) => {
          mails.push(mail);
          return outcome;
        },
      },
    };
    const problem = await sendLink(senders as never, {
      organizationId: 'org_1',
      to: 'ada@example.com',
      title: 'T',
      text: 'X',
    });
    return { problem, mails };
  };

  it('is sent at once to its address', async () => {
    const { problem, mails } = await send({ kind: 'delivered' });
    expect(problem).toBeNull();
    expect(mails).toMatchObject([
      { target: 'ada@example.com', channel: 'email', content: { title: 'T', text: 'X' } },
    ]);
  });

  it('says why it was not sent', async () => {
    expect((await send({ kind: 'failed', error: '550 no such user' })).problem).toBe('550 no such user');
    expect((await send({ kind: 'aborted' })).problem).toBe('The mail server did not respond in time');
  });
});
