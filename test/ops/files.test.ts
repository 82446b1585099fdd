import {describe, expect, it} from '@jest/globals';
import {readdirSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {parseAllDocuments} from 'yaml';
import {parseConfig} from '../../src/config/config.js';
import {environment} from '../../src/config/environment.js';
import {streaming} from '../../src/domain/core/limits.js';
import {root} from '../../scripts/paths.mjs';

/** Parsed YAML or JSON. Its type allows everything, since the tests check its shape. */
type Json = any;

const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const list = (folder: string) => readdirSync(path.join(root, folder)).map((name) => path.join(folder, name));

const manifests = list('ops/kubernetes');
const units = list('ops/systemd');

/** Parses every document of a YAML file. A key that is there twice is an error. */
function parseYaml(file: string): Json[] {
  return parseAllDocuments(read(file), {merge: true}).map((document) => {
    expect({file, errors: document.errors, warnings: document.warnings}).toEqual({
      file,
      errors: [],
      warnings: [],
    });
    return document.toJS();
  });
}

const resources = manifests.flatMap(parseYaml);
const find = (kind: string, name: string) =>
  resources.find((resource) => resource.kind === kind && resource.metadata.name === name);
const [compose] = parseYaml('compose.yaml');

/** Values for the settings that an operator must choose. */
const chosen: Readonly<Record<string, string>> = {
  SECRET_KEY: 'vKUPZcTCM5nFbyGPCm1y6fXZ0xuqJZ9W',
  METRICS_TOKEN: 'Zb5VvU9l0cBBq9hMPk0e8cPa1mqXo3Rt',
  REDIS_URL: 'redis://:PASSWORD@redis:6379',
};

/** Replaces `${NAME:-default}` and `${NAME:?error}` as Compose does. */
function interpolate(text: string): string {
  return text.replaceAll(/\$\{(\w+):([-?])([^}]*)\}/g, (_, name: string, operator: string, rest: string) => {
    expect(Object.keys(environment.shape)).toContain(name);
    return operator === '-' ? rest : (chosen[name] ?? '');
  });
}

/** The settings of each process that the files describe. */
const processes: Readonly<Record<string, Record<string, string>>> = {
  ...Object.fromEntries(
    ['web', 'worker'].map((name) => [
      `${name} of compose.yaml`,
      Object.fromEntries(
        Object.entries<string>(compose.services[name].environment).map(([key, value]) => [
          key,
          interpolate(value),
        ]),
      ),
    ]),
  ),
  ...Object.fromEntries(
    ['web', 'worker'].map((name) => {
      const [container] = find('Deployment', `standup-${name}`).spec.template.spec.containers;
      const own = container.env.map((variable: Json) => [variable.name, variable.value]);
      return [
        `${name} of ops/kubernetes`,
        {...find('ConfigMap', 'standup').data, ...chosen, ...Object.fromEntries(own)},
      ];
    }),
  ),
  ...Object.fromEntries(
    units.map((file) => {
      const own = [...read(file).matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, key, value]) => [
        key,
        value,
      ]);
      return [file, {...chosen, PUBLIC_URL: 'https://standup.example.com', ...Object.fromEntries(own)}];
    }),
  ),
};

describe('the settings of', () => {
  it.each(Object.entries(processes))('%s start the service in production', (name, settings) => {
    for (const setting of Object.keys(settings)) expect(Object.keys(environment.shape)).toContain(setting);
    const {config, warnings} = parseConfig({NODE_ENV: 'production', ...settings});
    expect(warnings).toEqual([]);
    const isWorker = name.includes('worker');
    expect(config.roles).toEqual({web: !isWorker, worker: isWorker});
    expect(config.http.port).toBe(isWorker && name.includes('systemd') ? 3_001 : 3_000);
  });
});

/** The time (s) that a process takes to stop, at most. */
const stopSeconds =
  Number(/stopWithinMs = ([\d_]+);/.exec(read('src/serve.ts'))?.[1]?.replace('_', '')) / 1_000;

it('each file gives a process more time to stop than it takes', () => {
  expect(stopSeconds).toBe(25);
  const times = [
    compose.services.web.stop_grace_period,
    compose.services.worker.stop_grace_period,
    ...['web', 'worker'].map(
      (name) => `${find('Deployment', `standup-${name}`).spec.template.spec.terminationGracePeriodSeconds}s`,
    ),
    ...units.map((file) => `${/^TimeoutStopSec=(\d+)$/m.exec(read(file))?.[1]}s`),
  ];
  expect(times).toEqual(Array.from({length: 6}, () => '30s'));
});

it('a worker of ops/ is described as a web process is, apart from its role', () => {
  const asWeb = (value: Json) => JSON.parse(JSON.stringify(value).replaceAll('worker', 'web'));
  for (const kind of ['Deployment', 'PodDisruptionBudget'])
    expect(asWeb(find(kind, 'standup-worker'))).toEqual(find(kind, 'standup-web'));
  const settingsOf = (file: string) =>
    read(file)
      .split('[Service]')[1]
      ?.replaceAll(/^(?:#.*|.*ROLES.*|.*PORT.*)$/gm, '');
  const [web = '', worker = ''] = units.map(settingsOf);
  expect(web).toContain('TimeoutStopSec');
  expect(worker).toBe(web);
});

describe('a pod of ops/kubernetes', () => {
  it.each(['web', 'worker'])('is asked by probes whose paths and port exist: %s', (name) => {
    const [container] = find('Deployment', `standup-${name}`).spec.template.spec.containers;
    const paths = ['startupProbe', 'readinessProbe', 'livenessProbe'].map(
      (probe) => container[probe].httpGet,
    );
    // A lost store must not restart the pods, so the liveness probe does not ask for it.
    expect(paths.map(({path: asked}) => asked)).toEqual(['/readyz', '/readyz', '/healthz']);
    const names = container.ports.map((port: Json) => port.name);
    for (const {port} of paths) expect(names).toContain(port);
  });

  it.each(['web', 'worker'])('has no rights that it does not need: %s', (name) => {
    const pod = find('Deployment', `standup-${name}`).spec.template.spec;
    expect(pod.automountServiceAccountToken).toBe(false);
    expect(pod.securityContext).toMatchObject({runAsNonRoot: true, runAsUser: 1_000});
    expect(pod.containers[0].securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: {drop: ['ALL']},
    });
  });

  it('is selected by its Service, its budget and its network policy', () => {
    const labels = (name: string) => find('Deployment', name).spec.template.metadata.labels;
    expect(labels('standup-web')).toMatchObject(find('Service', 'standup').spec.selector);
    for (const name of ['standup-web', 'standup-worker']) {
      expect(labels(name)).toEqual(find('PodDisruptionBudget', name).spec.selector.matchLabels);
      expect(labels(name)).toMatchObject(find('NetworkPolicy', 'standup').spec.podSelector.matchLabels);
    }
  });
});

it('Redis of compose.yaml keeps every acknowledged write and evicts nothing, and its queue keeps nothing', () => {
  const words = (name: string) => compose.services[name].command.trim().split(/\s+/).join(' ');
  expect(words('redis')).toContain('--appendonly yes --appendfsync always');
  expect(words('queue-redis')).toContain('--appendonly no');
  for (const name of ['redis', 'queue-redis']) expect(words(name)).toContain('--maxmemory-policy noeviction');
  expect(compose.services.redis.volumes).toEqual(['redis-data:/data']);
  expect(compose.networks.store.internal).toBe(true);
});

it('the build context of an image has no secrets and no data', () => {
  const [first, ...others] = read('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  expect(first).toBe('*');
  const context = others.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  for (const name of ['.env', '.data', '.git', 'node_modules', 'dist']) expect(context).not.toContain(name);
  // All that the build stage copies by name.
  const copied = [...read('Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = '']) =>
    names.split(' '),
  );
  for (const name of copied) expect(name === '.' || context.includes(name.split('/')[0] ?? '')).toBe(true);
});

it('each proxy calls the port of the service, and waits for longer than a stream is silent', () => {
  const [caddy, nginx] = ['ops/caddy/Caddyfile', 'ops/nginx/standup.conf'].map(read);
  const {config} = parseConfig({REDIS_URL: 'redis://127.0.0.1'}, {local: true});
  for (const text of [caddy, nginx]) expect(text).toContain(`127.0.0.1:${config.http.port}`);
  const waits = Number(/proxy_read_timeout (\d+)s;/.exec(nginx ?? '')?.[1]) * 1_000;
  expect(waits).toBeGreaterThan(2 * streaming.pulse);
});
