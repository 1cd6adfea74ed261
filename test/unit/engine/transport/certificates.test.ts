// @peculiar/x509 needs this polyfill and does not load it itself.
import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PeerCertificate } from 'node:tls';
import * as x509 from '@peculiar/x509';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  CertificateError,
  checkServerName,
  readKeyMaterial,
} from '../../../../src/engine/transport/certificates.js';
import { defaultTls, type TlsSettings } from '../../../../src/engine/transport/settings.js';
import { type IssuedCertificate, TestAuthority } from '../../../support/certificates.js';
import { TestLayer } from './layer.js';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const day = 86_400_000;

describe('TLS files', () => {
  let authority: TestAuthority;
  let own: IssuedCertificate;

  beforeAll(async () => {
    authority = await TestAuthority.create();
    own = await authority.issue('own');
  });
  afterAll(() => authority.remove());

  const settings = (more: Partial<TlsSettings> = {}): TlsSettings => ({
    ...defaultTls,
    keyFile: own.keyFile,
    certificateFile: own.certFile,
    ...more,
  });

  /** A self-signed pair valid between these days from now. */
  const pairFor = async (name: string, from: number, to: number) => {
    const keys = (await webcrypto.subtle.generateKey(algorithm, true, [
      'sign',
      'verify',
    ])) as webcrypto.CryptoKeyPair;
    const certificate = await x509.X509CertificateGenerator.createSelfSigned({
      serialNumber: '0a',
      name: `CN=${name}`,
      notBefore: new Date(Date.now() + from * day),
      notAfter: new Date(Date.now() + to * day),
      signingAlgorithm: algorithm,
      keys,
    });
    const keyFile = join(authority.directory, `${name}-key.pem`);
    const certificateFile = join(authority.directory, `${name}-cert.pem`);
    const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
    writeFileSync(keyFile, `-----BEGIN PRIVATE KEY-----\n${pkcs8}\n-----END PRIVATE KEY-----\n`);
    writeFileSync(certificateFile, certificate.toString('pem'));
    return { keyFile, certificateFile };
  };

  it('are read together', async () => {
    const material = await readKeyMaterial(settings({ trustedCaFile: authority.caFile }), false);
    expect(material.server).toBeDefined();
    expect(material.warnings).toEqual([]);
    expect((await readKeyMaterial(defaultTls, false)).server).toBeUndefined();
    const days = (material.expiresAt! - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(59);
    expect(days).toBeLessThanOrEqual(60);
  });

  it('are refused with the name of the file and the reason', async () => {
    const replacement = await authority.issue('other');
    const refused = async (more: Partial<TlsSettings>, text: RegExp) => {
      const outcome = readKeyMaterial(settings(more), false);
      await expect(outcome).rejects.toBeInstanceOf(CertificateError);
      await expect(outcome).rejects.toThrow(text);
    };
    await refused({ keyFile: replacement.keyFile }, /other-key\.pem is not the key of .*own-cert\.pem/);
    await refused({ keyFile: '/nowhere/key.pem' }, /\/nowhere\/key\.pem cannot be read/);
    await refused({ keyFile: own.certFile }, /own-cert\.pem is no private key/);
    await refused({ certificateFile: own.keyFile }, /own-key\.pem is no certificate/);
    await refused({ trustedCaFile: own.keyFile }, /own-key\.pem holds no certificate/);
    await refused({ chainFile: '/nowhere/chain.pem' }, /cannot be read/);
    await refused({ clientCertificates: 'optional' }, /clientCaFile/);
    await expect(readKeyMaterial({ ...defaultTls, keyFile: own.keyFile }, false)).rejects.toThrow(
      /needs its certificate/,
    );
  });

  it('never show the key in an error', async () => {
    const broken = join(authority.directory, 'broken.pem');
    writeFileSync(broken, own.key.replace('-----END', 'garbage\n-----END'));
    const error: Error = await readKeyMaterial(settings({ keyFile: broken }), false).then(
      () => new Error('accepted'),
      (reason: Error) => reason,
    );
    expect(error).toBeInstanceOf(CertificateError);
    expect(error.message).not.toContain(own.key.split('\n')[1]!.slice(0, 20));
  });

  it('past their date are refused at a reload and reported at the start', async () => {
    const expired = await pairFor('expired', -2, -1);
    const future = await pairFor('future', 1, 2);
    await expect(readKeyMaterial(settings(expired), false)).rejects.toThrow(/expired-cert\.pem expired on/);
    await expect(readKeyMaterial(settings(future), true)).rejects.toThrow(/valid only from/);
    const test = await TestLayer.start({
      listeners: [
        { protocol: 'tls', address: '127.0.0.1', port: 0 },
        { protocol: 'udp', address: '127.0.0.1', port: 0 },
      ],
      tls: expired,
    });
    expect(test.notices).toMatchObject([{ kind: 'certificate', text: expect.stringMatching(/expired on/) }]);
    expect(test.layer.listeners).toHaveLength(2);
    await test.layer.stop();
  });
});

describe('the name in a certificate (RFC 5922)', () => {
  const carrying = (subjectaltname: string): PeerCertificate =>
    ({ subject: { CN: 'whatever.example' }, subjectaltname }) as unknown as PeerCertificate;
  const accepts = (name: string, altNames: string): boolean =>
    checkServerName(name, carrying(altNames)) === undefined;

  it('is a DNS name, a SIP URI without user part, or an address', () => {
    expect(accepts('sip.example.com', 'DNS:sip.example.com')).toBe(true);
    expect(accepts('SIP.example.com', 'DNS:sip.example.com')).toBe(true);
    expect(accepts('sip.example.com', 'DNS:*.example.com')).toBe(true);
    expect(accepts('a.sip.example.com', 'DNS:*.example.com')).toBe(false);
    expect(accepts('example.com', 'DNS:host.example.net, URI:sip:example.com')).toBe(true);
    expect(accepts('example.com', 'URI:sip:alice@example.com')).toBe(false);
    expect(accepts('example.com', 'URI:sip:example.com.evil.net')).toBe(false);
    expect(accepts('192.0.2.1', 'IP Address:192.0.2.1')).toBe(true);
    expect(accepts('192.0.2.1', 'DNS:192.0.2.1')).toBe(false);
    expect(accepts('2001:db8::1', 'IP Address:2001:DB8:0:0:0:0:0:1')).toBe(true);
  });

  it('cannot be smuggled in inside another name', () => {
    expect(accepts('victim.example', 'DNS:"a, URI:sip:victim.example, b"')).toBe(false);
  });
});
