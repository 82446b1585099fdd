import type {Json} from './service.js';

/**
 * Finds the differences that would break a client of the released document, and describes each in one
 * sentence. Other changes are additions, which the document's section "Versioning" allows: answers may gain
 * properties, lists declared open may gain values, and requests may gain optional properties.
 */
export function findBreakingChanges(released: Json, current: Json): string[] {
  const changes: string[] = [];
  const both = {released: createReferenceResolver(released), current: createReferenceResolver(current)};

  for (const [operation, before] of listOperations(released.paths)) {
    const after = listOperations(current.paths).get(operation);
    if (after === undefined) changes.push(`${operation}: the operation is gone`);
    else
      changes.push(...findOperationChanges(both, before, after).map((change) => `${operation}: ${change}`));
  }
  for (const [type, before] of Object.entries<Json>(released.webhooks)) {
    const after = current.webhooks[type];
    if (after === undefined) changes.push(`${type}: the event type is gone`);
    else
      changes.push(...findEventChanges(both, before.post, after.post).map((change) => `${type}: ${change}`));
  }
  return changes;
}

type ResolveReference = (node: Json) => Json;
interface ResolverPair {
  readonly released: ResolveReference;
  readonly current: ResolveReference;
}

function createReferenceResolver(document: Json): ResolveReference {
  return function resolve(node: Json): Json {
    if (node?.$ref === undefined) return node ?? {};
    const path: string[] = node.$ref.slice(2).split('/');
    return resolve(path.reduce((at: Json, part) => at[part], document));
  };
}

function listOperations(paths: Json): Map<string, Json> {
  return new Map(
    Object.entries<Json>(paths).flatMap(([path, item]) =>
      Object.entries<Json>(item).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation]),
    ),
  );
}

function findOperationChanges(both: ResolverPair, before: Json, after: Json): string[] {
  const changes: string[] = [];
  if (before.operationId !== after.operationId)
    changes.push(`the operation is now called ${after.operationId}`);
  const scope = after['x-required-scope'];
  if (scope !== undefined && scope !== before['x-required-scope']) changes.push(`needs the scope ${scope}`);
  changes.push(...findParameterChanges(both, before.parameters ?? [], after.parameters ?? []));
  changes.push(...findRequestChanges(both, before.requestBody, after.requestBody));
  for (const [status, response] of Object.entries<Json>(before.responses)) {
    if (!status.startsWith('2')) continue;
    const now = after.responses[status];
    if (now === undefined) changes.push(`no longer answers ${status}`);
    else changes.push(...findResponseChanges(both, both.released(response), both.current(now)));
  }
  return changes;
}

function findParameterChanges({released, current}: ResolverPair, before: Json[], after: Json[]): string[] {
  const named = (resolve: ResolveReference, list: Json[]) =>
    new Map<string, Json>(list.map(resolve).map((one) => [`${one.in} parameter ${one.name}`, one]));
  const [old, now] = [named(released, before), named(current, after)];
  const changes: string[] = [];
  for (const [name, parameter] of old) {
    const counterpart = now.get(name);
    if (counterpart === undefined) changes.push(`the ${name} is gone`);
    else {
      const {schema} = counterpart;
      changes.push(...findInputChanges({released, current}, parameter.schema, schema, `the ${name}`));
    }
  }
  for (const [name, {required}] of now) {
    if (required === true && old.get(name)?.required !== true) changes.push(`the ${name} is now required`);
  }
  return changes;
}

function findRequestChanges(both: ResolverPair, before: Json, after: Json): string[] {
  if (after === undefined) return before === undefined ? [] : ['takes no body any more'];
  const changes = after.required === true && before?.required !== true ? ['a body is now required'] : [];
  for (const [type, {schema}] of Object.entries<Json>(before?.content ?? {})) {
    const now = after.content[type];
    if (now === undefined) changes.push(`${type} is no longer taken`);
    else changes.push(...findInputChanges(both, schema, now.schema, 'the body'));
  }
  return changes;
}

function findResponseChanges(both: ResolverPair, before: Json, after: Json): string[] {
  const changes: string[] = [];
  for (const name of Object.keys(before.headers ?? {})) {
    if (after.headers?.[name] === undefined) changes.push(`the header ${name} is gone from the answer`);
  }
  for (const [type, {schema}] of Object.entries<Json>(before.content ?? {})) {
    const now = after.content?.[type];
    if (now === undefined) changes.push(`is no longer answered as ${type}`);
    else changes.push(...findOutputChanges(both, schema, now.schema, 'the answer'));
  }
  return changes;
}

/**
 * Compares the webhook bodies of two documents by the same rules as answers. Full bodies are compared with
 * full ones and thin with thin, since a receiver gets only one of the two forms.
 */
function findEventChanges(both: ResolverPair, before: Json, after: Json): string[] {
  const names = new Set((after.parameters ?? []).map((one: Json) => both.current(one).name));
  const gone = (before.parameters ?? [])
    .map((one: Json) => both.released(one).name)
    .filter((name: string) => !names.has(name));
  const [old, now] = [before, after].map(({requestBody}) => {
    const {schema} = requestBody.content['application/json'];
    return schema.anyOf ?? [schema];
  });
  return [
    ...gone.map((name: string) => `the header ${name} is gone`),
    ...old.flatMap((form: Json, i: number) => findOutputChanges(both, form, now[i] ?? {}, 'the body')),
  ];
}

/** Finds input that the released document accepts and the current one no longer accepts. */
function findInputChanges(both: ResolverPair, before: Json, after: Json, location: string): string[] {
  const now = listBranches(both.current, after);
  return listBranches(both.released, before).flatMap((branch) => {
    const changes = now.map((one) => findBranchInputChanges(both, branch, one, location));
    return changes.some((found) => found.length === 0)
      ? []
      : findClosestBranchChanges(branch, now, changes, `${location} no longer takes`);
  });
}

const upperBounds = ['maxLength', 'maximum', 'maxItems', 'maxProperties'];
const lowerBounds = ['minLength', 'minimum', 'minItems', 'minProperties'];

function findBranchInputChanges(both: ResolverPair, before: Json, after: Json, location: string): string[] {
  const changes: string[] = [];
  if (after.type !== undefined && after.type !== before.type) return [`${location} was ${before.type}`];
  if (after.enum !== undefined) {
    const lost = (before.enum ?? ['any value']).filter((value: unknown) => !after.enum.includes(value));
    if (lost.length > 0) changes.push(`${location} no longer takes ${lost.join(', ')}`);
  }
  for (const name of upperBounds) {
    if (after[name] < (before[name] ?? Infinity)) changes.push(`${location} has ${name} ${after[name]}`);
  }
  for (const name of lowerBounds) {
    if (after[name] > (before[name] ?? -Infinity)) changes.push(`${location} has ${name} ${after[name]}`);
  }
  for (const name of ['pattern', 'format']) {
    if (after[name] !== undefined && after[name] !== before[name])
      changes.push(`${location} has another ${name}`);
  }
  for (const [name, schema] of Object.entries<Json>(before.properties ?? {})) {
    const now = after.properties?.[name];
    if (now === undefined) changes.push(`${location}/${name} is gone`);
    else changes.push(...findInputChanges(both, schema, now, `${location}/${name}`));
  }
  for (const name of after.required ?? []) {
    if (!(before.required ?? []).includes(name)) changes.push(`${location}/${name} is now required`);
  }
  if (
    after.additionalProperties === false &&
    before.additionalProperties !== false &&
    before.type === 'object'
  )
    changes.push(`${location} takes no further members`);
  for (const name of ['items', 'additionalProperties', 'propertyNames']) {
    if (isSchema(before[name]) && isSchema(after[name]))
      changes.push(...findInputChanges(both, before[name], after[name], `${location}/${name}`));
  }
  return changes;
}

/** Finds output of the current document that the released document did not allow. */
function findOutputChanges(both: ResolverPair, before: Json, after: Json, location: string): string[] {
  const old = listBranches(both.released, before);
  return listBranches(both.current, after).flatMap((branch) => {
    const changes = old.map((one) => findBranchOutputChanges(both, one, branch, location));
    return changes.some((found) => found.length === 0)
      ? []
      : findClosestBranchChanges(branch, old, changes, `${location} may now be`);
  });
}

function findBranchOutputChanges(both: ResolverPair, before: Json, after: Json, location: string): string[] {
  if (before.type !== undefined && after.type !== before.type) return [`${location} is now ${after.type}`];
  const changes: string[] = [];
  if (before.enum !== undefined) {
    const added = (after.enum ?? ['any value']).filter((value: unknown) => !before.enum.includes(value));
    if (added.length > 0) changes.push(`${location} may now be ${added.join(', ')}`);
  }
  if (before.format !== undefined && after.format !== before.format)
    changes.push(`${location} has another format`);
  for (const [name, schema] of Object.entries<Json>(before.properties ?? {})) {
    const now = after.properties?.[name];
    if (now === undefined) changes.push(`${location}/${name} is gone`);
    else changes.push(...findOutputChanges(both, schema, now, `${location}/${name}`));
  }
  for (const name of before.required ?? []) {
    if (after.properties?.[name] !== undefined && !(after.required ?? []).includes(name))
      changes.push(`${location}/${name} may now be missing`);
  }
  for (const name of ['items', 'additionalProperties']) {
    if (isSchema(before[name]) && isSchema(after[name]))
      changes.push(...findOutputChanges(both, before[name], after[name], `${location}/${name}`));
  }
  return changes;
}

/** Lists the alternatives of a schema, each with at most one type. */
function listBranches(resolve: ResolveReference, node: Json): Json[] {
  const schema = resolve(node);
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches !== undefined) return branches.flatMap((branch: Json) => listBranches(resolve, branch));
  const plain =
    schema.const === undefined ? schema : {type: typeof schema.const, ...schema, enum: [schema.const]};
  return Array.isArray(plain.type) ? plain.type.map((type: string) => ({...plain, type})) : [plain];
}

/**
 * Returns the changes between an alternative and the other document's alternative of the same type. If no
 * alternative has that type, returns one change, which says so.
 */
function findClosestBranchChanges(
  branch: Json,
  others: Json[],
  changes: string[][],
  sentence: string,
): string[] {
  const same = others.findIndex(({type}) => type === branch.type);
  return changes[same] ?? [`${sentence} ${branch.type ?? 'anything'}`];
}

function isSchema(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
