import type {Config, Secrets} from './config/config.js';
import {ConfigError} from './config/config.js';
import {AppError} from './domain/core/errors.js';
import type {LogFields} from './domain/core/log.js';
import {readRedisAddress, showHost} from './domain/core/redis-address.js';
import {StartupError} from './store/core/installation.js';
import {explainStoreError} from './store/core/start-causes.js';
import type {Store} from './store/store.js';

/** Describes a process that has started, for its log line. It shows hosts and ports, and no secret. */
export function describeStart(
  {config, secrets}: {readonly config: Config; readonly secrets: Secrets},
  {facts, connection}: Pick<Store, 'facts' | 'connection'>,
  own: {readonly port: number | undefined; readonly node: string; readonly version: string},
): LogFields {
  const {durability, version: redis, masters, replicas} = facts;
  return {
    ...own,
    roles: Object.entries(config.roles)
      .flatMap(([role, has]) => (has ? [role] : []))
      .join(','),
    store: connection.kind,
    masters,
    replicas,
    redis,
    durability,
    queue:
      secrets.queueRedisUrl === secrets.redisUrl ? 'in the store' : describeServers(secrets.queueRedisUrl),
    slack: describeSlack(config),
    mail:
      config.mail === undefined
        ? config.local
          ? 'in the log'
          : 'off'
        : `${config.mail.host}:${config.mail.port}`,
    webhooks: config.webhooks.proxy === undefined ? 'direct' : `through ${config.webhooks.proxy}`,
  };
}

function describeServers(url: string): string {
  const address = readRedisAddress(url);
  return 'problem' in address ? '' : address.hosts.map(showHost).join(',');
}

function describeSlack({slack}: Config): string {
  if (slack === undefined) return 'off';
  if (slack.mode === 'oauth') return 'many workspaces';
  return slack.socket ? 'one workspace by Socket Mode' : 'one workspace';
}

/** Returns the sentence for the operator about a failed start; undefined for a bug, which needs its trace. */
export function explainFailedStart(error: unknown): string | undefined {
  if (error instanceof ConfigError || error instanceof StartupError) return error.message;
  if (error instanceof AppError) return explainStoreError(error) ?? error.message;
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return undefined;
  if (error.syscall === 'getaddrinfo')
    return 'The host name in HOST cannot be found: set it to an address of this machine, or leave it out.';
  if (error.syscall !== 'listen') return undefined;
  switch (error.code) {
    case 'EADDRINUSE':
      return `Port ${'port' in error ? String(error.port) : ''} is taken: stop what listens there, or set PORT.`;
    case 'EACCES':
      return 'The port may not be opened by this user: set PORT to 1024 or above.';
    case 'EADDRNOTAVAIL':
      return 'This machine does not have the address in HOST: set it to one that it has, or leave it out.';
    default:
      return undefined;
  }
}
