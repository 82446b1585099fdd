import {domainToASCII} from 'node:url';
import ipaddr from 'ipaddr.js';
import {toAsciiAddress} from '../domain/mail/mail-address.js';
import {isLoopback} from './issuers.js';

/**
 * The mail server of SMTP_URL. `tls`: encrypted from the start. `starttls`: encrypted by STARTTLS, or nothing
 * is sent. `if_offered`: on this machine, where STARTTLS protects nothing. `off`: never encrypted.
 */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  readonly security: 'tls' | 'starttls' | 'if_offered' | 'off';
}

export interface SmtpLogin {
  readonly user: string;
  readonly password: string;
}

export interface MailSender {
  readonly name: string | undefined;
  readonly address: string;
}

/**
 * Reads the setting SMTP_URL. The mail library never gets the URL itself: it would take any option from the
 * query, such as one that accepts every certificate.
 */
export function readSmtpUrl(text: string): {server: SmtpServer; login?: SmtpLogin} | undefined {
  const url = URL.parse(text);
  if (url === null || !['smtp:', 'smtps:'].includes(url.protocol)) return undefined;
  const host = parseHost(url.hostname);
  const login = parseLogin(url);
  const isOff = url.search === '?tls=off';
  const isBare = ['', '/'].includes(url.pathname) && url.hash === '' && (isOff || url.search === '');
  if (host === undefined || login === 'invalid' || !isBare || url.port === '0') return undefined;
  const isEncrypted = url.protocol === 'smtps:';
  if (isOff && (isEncrypted || !isPrivateHost(host))) return undefined;
  const port = url.port === '' ? (isEncrypted ? 465 : 587) : Number(url.port);
  const onRequest = isLoopback(host) ? 'if_offered' : 'starttls';
  const security = isEncrypted ? 'tls' : isOff ? 'off' : onRequest;
  return {server: {host, port, security}, ...(login && {login})};
}

/** Reads the setting MAIL_FROM: an address, or `Name <address>`. */
export function readMailSender(text: string): MailSender | undefined {
  const [, quoted, plain, inBrackets] = /^(?:"([^"\\]*)"|([^"<>\\]*?))\s*<([^<>]*)>$/.exec(text.trim()) ?? [];
  const name = (quoted ?? plain)?.trim() || undefined;
  const address = toAsciiAddress(inBrackets ?? text.trim());
  if (address === undefined || (name !== undefined && !isSenderName(name))) return undefined;
  return {name, address};
}

function isSenderName(name: string): boolean {
  return name.length <= 80 && !/\p{Cc}/u.test(name);
}

function parseHost(hostname: string): string | undefined {
  const inBrackets = /^\[(.+)\]$/.exec(hostname)?.[1];
  const host = inBrackets ?? domainToASCII(decodeURIComponentOrEmpty(hostname));
  return host === '' ? undefined : host;
}

function parseLogin({username, password}: URL): SmtpLogin | 'invalid' | undefined {
  if (username === '' && password === '') return undefined;
  const login = {user: decodeURIComponentOrEmpty(username), password: decodeURIComponentOrEmpty(password)};
  return login.user === '' || login.password === '' || /\p{Cc}/u.test(login.user + login.password)
    ? 'invalid'
    : login;
}

function decodeURIComponentOrEmpty(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

/** True for a host that only a private network can reach, by its address or by the form of its name. */
function isPrivateHost(host: string): boolean {
  if (ipaddr.isValid(host))
    return ['loopback', 'private', 'uniqueLocal', 'linkLocal'].includes(ipaddr.process(host).range());
  return !host.includes('.') || /\.(?:internal|local|lan|home\.arpa)$/.test(host);
}
