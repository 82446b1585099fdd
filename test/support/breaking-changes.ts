import type {Json} from './service.js';

/**
 * Returns the changes that break a client of the released document, one sentence each; empty when everything
 * is additive. The policy is that of the document's section "Versioning": answers may gain properties and
 * open lists values, requests may gain optional properties.
 */
export function findBreakingChanges(released: Json, current: Json): string[] {
  const faults: string[] = [];
  const both = {released: createResolver(released), current: createResolver(current)};

  for (const [place, before] of operationsOf(released.paths)) {
    const after = operationsOf(current.paths).get(place);
    if (after === undefined) faults.push(`${place}: the operation is gone`);
    else faults.push(...operationFaults(both, before, after).map((fault) => `${place}: ${fault}`));
  }
  for (const [type, before] of Object.entries<Json>(released.webhooks)) {
    const after = current.webhooks[type];
    if (after === undefined) faults.push(`${type}: the event type is gone`);
    else faults.push(...eventFaults(both, before.post, after.post).map((fault) => `${type}: ${fault}`));
  }
  return faults;
}

type Resolve = (node: Json) => Json;
interface Both {
  readonly released: Resolve;
  readonly current: Resolve;
}

function createResolver(document: Json): Resolve {
  return function resolve(node: Json): Json {
    if (node?.$ref === undefined) return node ?? {};
    const path: string[] = node.$ref.slice(2).split('/');
    return resolve(path.reduce((at: Json, part) => at[part], document));
  };
}

function operationsOf(paths: Json): Map<string, Json> {
  return new Map(
    Object.entries<Json>(paths).flatMap(([path, item]) =>
      Object.entries<Json>(item).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation]),
    ),
  );
}

function operationFaults(both: Both, before: Json, after: Json): string[] {
  const faults: string[] = [];
  if (before.operationId !== after.operationId)
    faults.push(`the operation is now called ${after.operationId}`);
  const scope = after['x-required-scope'];
  if (scope !== undefined && scope !== before['x-required-scope']) faults.push(`needs the scope ${scope}`);
  faults.push(...parameterFaults(both, before.parameters ?? [], after.parameters ?? []));
  faults.push(...requestFaults(both, before.requestBody, after.requestBody));
  for (const [status, response] of Object.entries<Json>(before.responses)) {
    if (!status.startsWith('2')) continue;
    const now = after.responses[status];
    if (now === undefined) faults.push(`no longer answers ${status}`);
    else faults.push(...responseFaults(both, both.released(response), both.current(now)));
  }
  return faults;
}

function parameterFaults({released, current}: Both, before: Json[], after: Json[]): string[] {
  const named = (resolve: Resolve, list: Json[]) =>
    new Map<string, Json>(list.map(resolve).map((one) => [`${one.in} parameter ${one.name}`, one]));
  const [old, now] = [named(released, before), named(current, after)];
  const faults: string[] = [];
  for (const [name, parameter] of old) {
    const counterpart = now.get(name);
    if (counterpart === undefined) faults.push(`the ${name} is gone`);
    else {
      const {schema} = counterpart;
      faults.push(...acceptFaults({released, current}, parameter.schema, schema, `the ${name}`));
    }
  }
  for (const [name, {required}] of now) {
    if (required === true && old.get(name)?.required !== true) faults.push(`the ${name} is now required`);
  }
  return faults;
}

function requestFaults(both: Both, before: Json, after: Json): string[] {
  if (after === undefined) return before === undefined ? [] : ['takes no body any more'];
  const faults = after.required === true && before?.required !== true ? ['a body is now required'] : [];
  for (const [type, {schema}] of Object.entries<Json>(before?.content ?? {})) {
    const now = after.content[type];
    if (now === undefined) faults.push(`${type} is no longer taken`);
    else faults.push(...acceptFaults(both, schema, now.schema, 'the body'));
  }
  return faults;
}

function responseFaults(both: Both, before: Json, after: Json): string[] {
  const faults: string[] = [];
  for (const name of Object.keys(before.headers ?? {})) {
    if (after.headers?.[name] === undefined) faults.push(`the header ${name} is gone from the answer`);
  }
  for (const [type, {schema}] of Object.entries<Json>(before.content ?? {})) {
    const now = after.content?.[type];
    if (now === undefined) faults.push(`is no longer answered as ${type}`);
    else faults.push(...giveFaults(both, schema, now.schema, 'the answer'));
  }
  return faults;
}

/**
 * Compares webhook bodies like answers: the full form with the full one, the thin with the thin, for each
 * receiver gets one.
 */
function eventFaults(both: Both, before: Json, after: Json): string[] {
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
    ...old.flatMap((form: Json, i: number) => giveFaults(both, form, now[i] ?? {}, 'the body')),
  ];
}

/** Checks that everything accepted before is still accepted. */
function acceptFaults(both: Both, before: Json, after: Json, place: string): string[] {
  const now = branchesOf(both.current, after);
  return branchesOf(both.released, before).flatMap((branch) => {
    const faults = now.map((one) => acceptBranchFaults(both, branch, one, place));
    return faults.some((found) => found.length === 0)
      ? []
      : closest(branch, now, faults, `${place} no longer takes`);
  });
}

const upperBounds = ['maxLength', 'maximum', 'maxItems', 'maxProperties'];
const lowerBounds = ['minLength', 'minimum', 'minItems', 'minProperties'];

function acceptBranchFaults(both: Both, before: Json, after: Json, place: string): string[] {
  const faults: string[] = [];
  if (after.type !== undefined && after.type !== before.type) return [`${place} was ${before.type}`];
  if (after.enum !== undefined) {
    const lost = (before.enum ?? ['any value']).filter((value: unknown) => !after.enum.includes(value));
    if (lost.length > 0) faults.push(`${place} no longer takes ${lost.join(', ')}`);
  }
  for (const name of upperBounds) {
    if (after[name] < (before[name] ?? Infinity)) faults.push(`${place} has ${name} ${after[name]}`);
  }
  for (const name of lowerBounds) {
    if (after[name] > (before[name] ?? -Infinity)) faults.push(`${place} has ${name} ${after[name]}`);
  }
  for (const name of ['pattern', 'format']) {
    if (after[name] !== undefined && after[name] !== before[name])
      faults.push(`${place} has another ${name}`);
  }
  for (const [name, schema] of Object.entries<Json>(before.properties ?? {})) {
    const now = after.properties?.[name];
    if (now === undefined) faults.push(`${place}/${name} is gone`);
    else faults.push(...acceptFaults(both, schema, now, `${place}/${name}`));
  }
  for (const name of after.required ?? []) {
    if (!(before.required ?? []).includes(name)) faults.push(`${place}/${name} is now required`);
  }
  if (
    after.additionalProperties === false &&
    before.additionalProperties !== false &&
    before.type === 'object'
  )
    faults.push(`${place} takes no further members`);
  for (const name of ['items', 'additionalProperties', 'propertyNames']) {
    if (isSchema(before[name]) && isSchema(after[name]))
      faults.push(...acceptFaults(both, before[name], after[name], `${place}/${name}`));
  }
  return faults;
}

/** Checks that everything returned now could have been returned before. */
function giveFaults(both: Both, before: Json, after: Json, place: string): string[] {
  const old = branchesOf(both.released, before);
  return branchesOf(both.current, after).flatMap((branch) => {
    const faults = old.map((one) => giveBranchFaults(both, one, branch, place));
    return faults.some((found) => found.length === 0)
      ? []
      : closest(branch, old, faults, `${place} may now be`);
  });
}

function giveBranchFaults(both: Both, before: Json, after: Json, place: string): string[] {
  if (before.type !== undefined && after.type !== before.type) return [`${place} is now ${after.type}`];
  const faults: string[] = [];
  if (before.enum !== undefined) {
    const added = (after.enum ?? ['any value']).filter((value: unknown) => !before.enum.includes(value));
    if (added.length > 0) faults.push(`${place} may now be ${added.join(', ')}`);
  }
  if (before.format !== undefined && after.format !== before.format)
    faults.push(`${place} has another format`);
  for (const [name, schema] of Object.entries<Json>(before.properties ?? {})) {
    const now = after.properties?.[name];
    if (now === undefined) faults.push(`${place}/${name} is gone`);
    else faults.push(...giveFaults(both, schema, now, `${place}/${name}`));
  }
  for (const name of before.required ?? []) {
    if (after.properties?.[name] !== undefined && !(after.required ?? []).includes(name))
      faults.push(`${place}/${name} may now be missing`);
  }
  for (const name of ['items', 'additionalProperties']) {
    if (isSchema(before[name]) && isSchema(after[name]))
      faults.push(...giveFaults(both, before[name], after[name], `${place}/${name}`));
  }
  return faults;
}

/** The alternatives of a schema, each with at most one type. */
function branchesOf(resolve: Resolve, node: Json): Json[] {
  const schema = resolve(node);
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches !== undefined) return branches.flatMap((branch: Json) => branchesOf(resolve, branch));
  const plain =
    schema.const === undefined ? schema : {type: typeof schema.const, ...schema, enum: [schema.const]};
  return Array.isArray(plain.type) ? plain.type.map((type: string) => ({...plain, type})) : [plain];
}

/** The errors against the counterpart of the same type, which is the changed one; or that there is none. */
function closest(branch: Json, others: Json[], faults: string[][], sentence: string): string[] {
  const same = others.findIndex(({type}) => type === branch.type);
  return faults[same] ?? [`${sentence} ${branch.type ?? 'anything'}`];
}

function isSchema(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
