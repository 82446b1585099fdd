import {createHash} from 'node:crypto';
import type {IncomingMessage} from 'node:http';

/** The maximum difference of clocks: https://docs.slack.dev/authentication/verifying-requests-from-slack */
const skewSeconds = 300;

/** Checks a request, and normalises its content type: Bolt accepts any future time and compares literally. */
export function prepareRequestForBolt(request: IncomingMessage, nowMs: number): boolean {
  const {headers} = request;
  const sentAt = headers['x-slack-request-timestamp'];
  const signature = headers['x-slack-signature'];
  if (typeof sentAt !== 'string' || !/^\d{9,11}$/.test(sentAt)) return false;
  // Only one spelling is accepted: a repeated request is recognised by its signature.
  if (typeof signature !== 'string' || !/^v0=[0-9a-f]{64}$/.test(signature)) return false;
  if (Math.abs(nowMs / 1_000 - Number(sentAt)) > skewSeconds) return false;
  // Slack never sends an empty request. Bolt cannot read one and would answer 400.
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return false;
  const type = headers['content-type'];
  if (type !== undefined) headers['content-type'] = type.split(';', 1)[0]?.trim().toLowerCase();
  return true;
}

/** Returns the hash by which a request is remembered. The signature covers the request's time and body. */
export function hashSignature(request: IncomingMessage): string {
  return createHash('sha256').update(String(request.headers['x-slack-signature'])).digest('base64url');
}
