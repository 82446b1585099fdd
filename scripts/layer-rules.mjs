import {readFileSync, readdirSync} from 'node:fs';
import path from 'node:path';
import {findLineNumber, scanSource} from './import-scan.mjs';

/**
 * The folders of src/ that each folder may import, as in ARCHITECTURE.md. `types` allows only `import type`.
 */
const layers = {
  domain: {imports: [], types: []},
  service: {imports: ['domain'], types: ['store']},
  store: {imports: ['domain'], types: []},
  webhook: {imports: ['domain'], types: []},
  calendar: {imports: ['domain'], types: []},
  jobs: {imports: ['domain'], types: ['service', 'store']},
  metrics: {imports: ['domain'], types: []},
  tracing: {imports: ['domain'], types: []},
  passkeys: {imports: ['domain'], types: []},
  api: {imports: ['domain'], types: ['service']},
  bot: {imports: ['domain'], types: ['service', 'store']},
  dashboard: {imports: ['domain'], types: ['service']},
  cli: {imports: ['domain'], types: ['service']},
  mcp: {imports: ['api', 'domain'], types: []},
  config: {imports: ['domain'], types: []},
  mail: {imports: ['domain'], types: []},
  pages: {imports: ['domain'], types: []},
  'local-data.ts': {imports: [], types: []},
  'launch.ts': {imports: [], types: []},
  'heap.ts': {imports: [], types: []},
};

/**
 * Files that a layer must not import although it may import their folder, each with the file to use instead.
 */
const hidden = {bot: {'store/core/records.ts': 'a service (service/slack/channel-views.ts)'}};

/**
 * The features of a folder, and the features that each may import. Any feature may also import its own files
 * and the shared features. No feature may import files that are directly in the folder. With `order`, a
 * feature may import those before it, and those that `upward` names.
 */
const features = {
  domain: {
    shared: ['core'],
    commit: ['events', 'inbox', 'mail', 'members', 'prompts', 'slack', 'teams', 'tokens', 'webhooks'],
    standups: ['questions', 'reactions', 'slack'],
    questions: [],
    drafts: ['questions'],
    blockers: [],
    comments: ['standups'],
    inbox: [],
    reactions: [],
    teams: ['absences', 'questions', 'schedules'],
    members: [],
    imports: ['questions'],
    tokens: ['workspaces'],
    invites: ['mail', 'teams', 'tokens', 'workspaces'],
    workspaces: ['absences', 'schedules'],
    events: ['absences', 'prompts', 'standups', 'teams', 'workspaces'],
    schedules: ['workspaces'],
    runs: ['absences', 'blockers', 'prompts', 'questions', 'schedules', 'standups', 'teams', 'workspaces'],
    absences: [],
    prompts: ['absences', 'runs', 'schedules', 'teams', 'workspaces'],
    slack: ['blockers', 'inbox', 'questions', 'runs', 'teams', 'workspaces'],
    webhooks: ['events'],
    mail: ['inbox', 'runs'],
    typed: [],
  },
  service: {
    shared: ['core'],
    order: [
      'workspaces',
      'tokens',
      'events',
      'webhooks',
      'absences',
      'runs',
      'teams',
      'schedules',
      'prompts',
      'inbox',
      'blockers',
      'standups',
      'comments',
      'reactions',
      'drafts',
      'imports',
      'members',
      'invites',
      'slack',
      'mail',
    ],
    upward: ['absences → runs', 'runs → teams', 'members → invites'],
  },
  store: {
    shared: ['core'],
    commit: ['drafts', 'events', 'inbox', 'prompts', 'slack', 'webhooks'],
    drafts: [],
    inbox: [],
    standups: ['slack'],
    members: [],
    imports: [],
    tokens: ['commit'],
    workspaces: [],
    events: [],
    runs: [],
    prompts: ['slack'],
    mail: [],
    slack: ['commit'],
    webhooks: ['events'],
  },
  api: {
    shared: ['http', 'examples'],
    access: [],
    server: ['access'],
    openapi: [
      'absences',
      'blockers',
      'comments',
      'drafts',
      'events',
      'imports',
      'inbox',
      'invites',
      'mails',
      'members',
      'reactions',
      'runs',
      'slack',
      'standups',
      'teams',
      'tokens',
      'webhooks',
      'workspaces',
    ],
    imports: [],
    inbox: [],
    invites: [],
    mails: [],
    standups: ['absences', 'questions', 'runs'],
    questions: [],
    drafts: [],
    blockers: [],
    comments: [],
    reactions: [],
    teams: ['members', 'questions', 'schedules'],
    members: ['schedules', 'teams'],
    tokens: [],
    workspaces: [],
    events: [
      'absences',
      'blockers',
      'comments',
      'imports',
      'invites',
      'members',
      'reactions',
      'runs',
      'standups',
      'teams',
      'tokens',
      'webhooks',
      'workspaces',
    ],
    schedules: [],
    runs: ['questions', 'schedules', 'standups'],
    absences: ['members'],
    slack: ['members'],
    webhooks: [],
  },
  'bot/slack': {
    shared: [],
    order: [
      'blocks',
      'rich-text',
      'answers',
      'core',
      'socket',
      'own-settings',
      'form',
      'missing',
      'gone',
      'blockers',
      'away',
      'history',
      'week',
      'digest',
      'report',
      'commands',
      'setup',
      'welcome',
      'shortcuts',
      'mentions',
      'typing',
      'replies',
      'shown',
      'prompts',
      'home',
      'installation',
      'posting',
    ],
    upward: ['blocks → rich-text'],
  },
};

/** Composition roots: files that may import any file, and that no other file imports. */
const composers = ['compose.ts', 'compose-core.ts', 'compose-slack.ts', 'compose-web.ts'];
const joiners = [
  'main.ts',
  'serve.ts',
  'explain-start.ts',
  'cli/main.ts',
  'cli/run.ts',
  'cli/run-command.ts',
  ...composers,
];

/** Files in bot/ outside the folder of a single chat are shared by all chats. */
const oneChat = 'bot/slack/';
const isShared = (file) => findLayer(file) === 'bot' && !file.startsWith(oneChat);

/**
 * The folder that owns each package. Composition roots may use any package. A name that ends in `/` is a
 * scope.
 */
const packageOwners = [
  ['redis', 'store'],
  ['@redis/', 'store'],
  ['undici', 'webhook'],
  ['temporal-polyfill', 'calendar'],
  ['date-holidays', 'calendar'],
  ['ical.js', 'calendar'],
  ['bullmq', 'jobs'],
  ['prom-client', 'metrics'],
  ['@modelcontextprotocol/', 'mcp'],
  ['@opentelemetry/', 'tracing'],
  ['@simplewebauthn/', 'passkeys'],
  ['express', 'api'],
  ['jose', 'api'],
  ['helmet', 'api'],
  ['cors', 'api'],
  ['@slack/', 'bot'],
  ['openid-client', 'dashboard'],
  ['commander', 'cli'],
  ['@lezer/', 'domain'],
  ['nodemailer', 'mail'],
  ['pino', 'compose-core.ts'],
];

/**
 * Folders that only make decisions. They do no I/O; clock, random values and timers are passed in as
 * parameters.
 */
const pureFolders = ['domain', 'service'];
const pureModules = ['node:crypto', 'node:util', 'node:buffer', 'node:assert'];
const impureCode =
  /(?<![\w$.])(?:Date\.now|performance\.now|Math\.random|setTimeout|setInterval|setImmediate)\b|\bnew Date\(\s*\)|\brandom(?:UUID|Bytes|Int)\b|\bfetch\s*\(/g;

/**
 * Files that may use `process`: only the entry points. Properties and functions with that name do not match.
 */
const processUsers = ['launch.ts', 'serve.ts', 'cli/run.ts'];
const processCode = /(?<![\w$.]|globalThis\.)process\b(?!\s*[(:?,])|\bglobalThis\.process\b/g;

/**
 * Returns all violations below `folder` (a src/), as {file, line, message}, and the number of files read. A
 * check that read no file must not pass (see check-layers.mjs).
 */
export function checkLayers(folder) {
  const files = listSources(folder);
  const known = new Set(files);
  const violations = [];
  const graph = new Map();
  for (const file of files) {
    const {code, imports} = scanSource(readFileSync(path.join(folder, file), 'utf8'));
    const report = (line, message) => violations.push({file, line, message});
    const targets = [];
    for (const {target, typeOnly, line} of imports) {
      if (target === undefined) report(line, 'imports a computed name, which cannot be checked');
      else if (target.startsWith('.')) {
        const resolved = path.posix.join(path.posix.dirname(file), target).replace(/\.js$/, '.ts');
        if (known.has(resolved)) targets.push({to: resolved, line});
        const message = judgeImport(file, resolved, typeOnly, known);
        if (message) report(line, message);
      } else {
        const message = judgePackage(file, target);
        if (message) report(line, message);
      }
    }
    graph.set(file, targets);
    if (!(findLayer(file) in layers) && !joiners.includes(file)) {
      report(1, 'stands in no folder of the table (ARCHITECTURE.md, scripts/layer-rules.mjs)');
    }
    for (const [line, message] of judgeCode(file, code)) report(line, message);
  }
  return {files: files.length, violations: [...violations, ...findCycles(graph)]};
}

function judgeImport(file, target, typeOnly, known) {
  if (!known.has(target)) return `imports ${target}, which is no source below src/`;
  if (joiners.includes(target) && !joiners.includes(file))
    return `imports ${target}, which joins the parts and is no part`;
  if (joiners.includes(file)) return undefined;
  if (isShared(file) && target.startsWith(oneChat))
    return `imports ${target}: what chats share knows none of them`;
  if (findLayer(file) === findLayer(target)) return judgeFeature(file, target);
  const asked = hidden[findLayer(file)]?.[target];
  if (asked !== undefined) return `${findLayer(file)} must not import ${target}: it asks ${asked}`;
  const layer = layers[findLayer(file)];
  if (layer === undefined || layer.imports.includes(findLayer(target))) return undefined;
  if (!layer.types.includes(findLayer(target))) return `${findLayer(file)} must not import ${target}`;
  return typeOnly
    ? undefined
    : `${findLayer(file)} may import only types from ${findLayer(target)}: use \`import type\``;
}

/** Returns the violation of an import between features of a folder that must not import each other. */
function judgeFeature(file, target) {
  for (const [folder, table] of Object.entries(features)) {
    if (![file, target].every((one) => one.startsWith(`${folder}/`))) continue;
    const message = judgeFeatureOf(folder, table, file, target);
    if (message) return message;
  }
  return undefined;
}

function judgeFeatureOf(folder, {shared, order, upward = [], ...named}, file, target) {
  const [from, to] = [findFeature(folder, file), findFeature(folder, target)];
  if (from === undefined || from === to) return undefined;
  if (to === undefined) return `imports ${target}, which joins the features of ${folder}`;
  const isKnown = shared.includes(from) || (order?.includes(from) ?? from in named);
  if (!isKnown) return `stands in no feature of ${folder} (scripts/layer-rules.mjs)`;
  if (shared.includes(to)) return undefined;
  const below = order?.slice(0, Math.max(0, order.indexOf(from))) ?? named[from] ?? [];
  return below.includes(to) || upward.includes(`${from} → ${to}`)
    ? undefined
    : `${folder}/${from} must not import ${target}`;
}

function judgePackage(file, name) {
  const layer = findLayer(file);
  if (/^(?:node:)?process$/.test(name) && !processUsers.includes(file))
    return 'imports the process; take a parameter';
  if (!composers.includes(file)) {
    const owner = packageOwners.find(([owned]) =>
      owned.endsWith('/') ? name.startsWith(owned) : name === owned || name.startsWith(`${owned}/`),
    );
    if (owner !== undefined && owner[1] !== layer) return `imports ${name}, which only ${owner[1]} may use`;
    if (name.startsWith('@slack/') && isShared(file)) return `imports ${name}, which only ${oneChat} may use`;
  }
  if (pureFolders.includes(layer) && name.startsWith('node:') && !pureModules.includes(name)) {
    return `imports ${name}: ${layer} does no I/O`;
  }
  return undefined;
}

function* judgeCode(file, code) {
  if (!processUsers.includes(file)) {
    for (const match of code.matchAll(processCode))
      yield [findLineNumber(code, match.index), 'uses `process`; take a parameter'];
  }
  if (pureFolders.includes(findLayer(file))) {
    for (const match of code.matchAll(impureCode)) {
      yield [
        findLineNumber(code, match.index),
        `uses ${match[0].trim()}; in ${findLayer(file)} it comes in as a parameter`,
      ];
    }
  }
}

/**
 * Returns one violation for each import that closes a cycle. Type imports count too, since they also couple
 * files.
 */
export function findCycles(graph) {
  const violations = [];
  const done = new Set();
  const way = [];
  const follow = (file) => {
    way.push(file);
    for (const {to, line} of graph.get(file) ?? []) {
      const start = way.indexOf(to);
      if (start >= 0)
        violations.push({file, line, message: `import cycle: ${[...way.slice(start), to].join(' → ')}`});
      else if (!done.has(to)) follow(to);
    }
    way.pop();
    done.add(file);
  };
  for (const file of graph.keys()) if (!done.has(file)) follow(file);
  return violations;
}

function findLayer(file) {
  return file.split('/')[0];
}

/** Returns the feature of a file within a folder; undefined for a file directly in the folder. */
function findFeature(folder, file) {
  const [feature, ...rest] = file.slice(folder.length + 1).split('/');
  return rest.length > 0 ? feature : undefined;
}

export function listSources(folder) {
  return readdirSync(folder, {recursive: true, withFileTypes: true})
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .map((file) => file.split(path.sep).join('/'))
    .sort();
}
