import {hash as digest} from 'node:crypto';
import {z} from 'zod';
import {canonicalizeJson} from '../api/http/idempotency.js';
import {isReadOnly, type Route} from '../api/http/route.js';
import {createComponents, type JsonObject} from '../api/openapi/components.js';
import {pathParameters} from '../api/examples/ids.js';
import {AppError} from '../domain/core/errors.js';
import type {Scope} from '../domain/core/access.js';
import {suggestNearMatches} from '../domain/core/text.js';
import {inlineSchema, keepTypes} from './json-schema.js';
import {
  type Arguments,
  type DayOf,
  type ToolDefinition,
  toolDefinitions,
  type ToolName,
  type ToolOperation,
} from './tool-definitions.js';

/** A request of one operation, as a tool or a resource asks for it. */
export interface PlannedRequest {
  readonly operation: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>> | undefined;
  readonly expectedRevision?: number | undefined;
  readonly key?: string | undefined;
}

/** A tool, as clients list it. */
interface ListedTool {
  readonly name: ToolName;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonObject & {readonly type: 'object'};
  readonly outputSchema: JsonObject & {readonly type: 'object'};
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
}

export interface Tool {
  readonly listed: ListedTool;
  readonly scope: Scope;
  /**
   * Returns whose current date a call needs: the dates of the teams that it names, or the caller's. Undefined
   * if it needs none.
   */
  readonly needsDate: (given: Arguments) => DayOf | undefined;
  readonly present: (answer: JsonObject) => JsonObject;
  /** Returns the requests that read what an answer says was made. */
  readonly planLooks: (answer: JsonObject) => readonly PlannedRequest[];
  /** True for something made that no longer counts, such as a resolved blocker. */
  readonly hasEnded: (found: JsonObject) => boolean;
  /**
   * Turns arguments into the request of an operation. `dates`: the date to use where they name none. Errors:
   * `validation_failed` for unknown or missing arguments.
   */
  readonly plan: (given: Arguments, dates?: readonly string[]) => PlannedRequest;
}

/** Creates the tools from the table of operations: schemas, scopes and hints are those of the API. */
export function createTools(routes: readonly Route[]): ReadonlyMap<string, Tool> {
  const byOperation = new Map(routes.map((route) => [route.operation, route]));
  const components = createComponents();
  const toJson = (schema: z.ZodType) => inlineSchema(schema, components);
  const definitions: [string, ToolDefinition][] = Object.entries(toolDefinitions);
  return new Map(
    definitions.flatMap(([name, definition]) => {
      const used = definition.operations.flatMap((one) => byOperation.get(one.operation) ?? []);
      const [route] = used;
      // Without a web role, a process has no operations and so no tools.
      if (route?.scope === undefined || used.length < definition.operations.length) return [];
      return [[name, createTool(name as ToolName, definition, used, route.scope, toJson)] as const];
    }),
  );
}

function createTool(
  name: ToolName,
  definition: ToolDefinition,
  routes: readonly Route[],
  scope: Scope,
  toJson: (schema: z.ZodType) => JsonObject,
): Tool {
  const {operations, rows, defaults = {}, datedBy, makes, made, present = (answer) => answer} = definition;
  const shapes = operations.map((operation, at) => listArguments(operation, routes[at] as Route));
  const properties: Record<string, JsonObject> = {};
  for (const shape of shapes) {
    for (const [argument, {schema}] of shape) properties[argument] ??= {...toJson(schema)};
  }
  for (const [argument, value] of Object.entries(defaults))
    properties[argument] = {...properties[argument], default: value};
  if (rows !== undefined)
    properties['limit'] = {type: 'integer', minimum: 1, maximum: rows.most, default: rows.usual};
  const first = shapes[0] ?? new Map<string, ToolArgument>();
  const required = [...first.keys()].filter(
    (argument) =>
      !(argument in defaults) && shapes.every((shape) => shape.get(argument)?.isRequired === true),
  );
  const readOnly = routes.every(isReadOnly);

  return {
    listed: {
      name,
      title: definition.title,
      description: definition.description,
      inputSchema: {
        type: 'object',
        properties,
        ...(required.length > 0 && {required}),
        additionalProperties: false,
      },
      outputSchema: {type: 'object', ...keepTypes(toJson(definition.result))},
      annotations: {
        readOnlyHint: readOnly,
        destructiveHint: definition.isDestructive === true,
        idempotentHint: definition.repeats !== true,
        openWorldHint: !readOnly && name !== 'absence_set',
      },
    },
    scope,
    present,
    planLooks(answer) {
      const rows = (answer['data'] ?? [answer]) as readonly {readonly id: string}[];
      return made === undefined
        ? []
        : rows.map(({id}) => ({operation: made.operation, params: {[made.named]: id}}));
    },
    hasEnded: ({state}) => made?.endState !== undefined && state === made.endState,
    needsDate: (given) =>
      makes?.(given) === true && (given[datedBy?.argument ?? ''] ?? given['idempotency_key']) === undefined
        ? datedBy?.day
        : undefined,
    plan(given, dates = []) {
      refuseUnknownArguments(name, given, Object.keys(properties));
      const asked: Arguments = {...defaults, ...(rows !== undefined && {limit: rows.usual}), ...given};
      if (rows !== undefined) requireRows(asked['limit'], rows.most);
      const at = operations.findIndex(({chosenBy}) => chosenBy === undefined || chosenBy in given);
      const [operation, shape] = [operations[at], shapes[at]];
      if (operation === undefined || shape === undefined) throw new Error(`no operation of ${name} fits`);
      const misplaced = Object.keys(given).filter((argument) => !shape.has(argument));
      if (misplaced.length > 0)
        throw refuseArgument(misplaced[0] ?? '', `cannot be combined with \`${operation.chosenBy ?? ''}\`.`);
      const missing = [...shape].find(([argument, {target}]) => target === 'path' && !asked[argument])?.[0];
      if (missing !== undefined) {
        const others = operations.flatMap(({chosenBy}) =>
          chosenBy === undefined ? [] : `or \`${chosenBy}\` `,
        );
        throw refuseArgument(missing, `${others.join('')}is required.`);
      }
      const {argument} = datedBy ?? {};
      const [date, ...others] = dates;
      // Teams in several time zones may have several dates: each then chooses its own.
      const complete: Arguments =
        argument !== undefined && date !== undefined && others.every((other) => other === date)
          ? {[argument]: date, ...asked}
          : asked;
      const collect = (target: ToolArgument['target']) =>
        Object.entries(complete).filter(
          ([name, value]) => value !== undefined && shape.get(name)?.target === target,
        );
      const chosen = given['idempotency_key'];
      const key =
        chosen === undefined && makes?.(given) === true
          ? `mcp-${digest('sha256', `${name} ${dates.join(' ')} ${canonicalizeJson(complete)}`, 'base64url')}`
          : chosen;
      return {
        operation: operation.operation,
        params: toTexts(collect('path')),
        query: toTexts(collect('query')),
        ...((routes[at] as Route).body !== undefined && {body: Object.fromEntries(collect('body'))}),
        key: key === undefined ? undefined : requireText('idempotency_key', key),
        expectedRevision: readRevision(given['expected_revision']),
      };
    },
  };
}

/** Returns the key of the same call after what it has made has ended. A retry finds it by the same way. */
export function followKey(key: string, {id, data}: JsonObject): string {
  return `mcp-${digest('sha256', `${key} ${canonicalizeJson(id ?? data)}`, 'base64url')}`;
}

interface ToolArgument {
  readonly schema: z.ZodType;
  readonly target: 'path' | 'query' | 'body' | 'header';
  readonly isRequired: boolean;
}

/** Lists the arguments that a tool passes to an operation. */
function listArguments({query = [], body = []}: ToolOperation, route: Route): Map<string, ToolArgument> {
  const found = new Map<string, ToolArgument>();
  for (const [, name = ''] of route.path.matchAll(/\{(\w+)\}/g)) {
    const {description = ''} = pathParameters[name] ?? {};
    found.set(name, {schema: z.string().meta({description}), target: 'path', isRequired: true});
  }
  const add = (target: 'query' | 'body', names: readonly string[], schema: z.ZodType | undefined): void => {
    for (const name of names) {
      const member = (schema as z.ZodObject | undefined)?.shape[name] as z.ZodType | undefined;
      if (member === undefined) throw new Error(`${route.operation} has no ${target} member ${name}`);
      found.set(name, {schema: member, target, isRequired: !member.safeParse(undefined).success});
    }
  };
  add('query', query, route.query);
  add('body', body, route.body);
  const header = (name: string, schema: z.ZodType) =>
    found.set(name, {schema, target: 'header', isRequired: false});
  if (route.errors.includes('precondition_failed'))
    header(
      'expected_revision',
      z.int().min(1).meta({description: 'The `revision` that the change is meant for.'}),
    );
  if (!isReadOnly(route))
    header(
      'idempotency_key',
      z.string().meta({description: 'Calls with the same key and arguments run once in 24 h.'}),
    );
  return found;
}

/** The length at which the name of an unknown argument is cut in an error. */
const longestShownName = 80;

function refuseUnknownArguments(tool: string, given: Arguments, known: readonly string[]): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const hint = suggestNearMatches(unknown, known, ` Its arguments are ${known.join(', ')}.`);
  throw refuseArgument(unknown.slice(0, longestShownName), `is not an argument of ${tool}.${hint}`);
}

function refuseArgument(name: string, problem: string): AppError {
  const detail = `\`${name}\` ${problem}`;
  return new AppError('validation_failed', detail, {
    inputErrors: [{code: 'validation_failed', detail, pointer: `#/${name}`}],
  });
}

function requireRows(given: unknown, most: number): void {
  if (typeof given === 'number' && Number.isInteger(given) && given >= 1 && given <= most) return;
  throw refuseArgument('limit', `must be a number from 1 to ${most}.`);
}

function readRevision(given: unknown): number | undefined {
  if (given === undefined) return undefined;
  if (typeof given === 'number' && Number.isSafeInteger(given) && given >= 1) return given;
  throw refuseArgument('expected_revision', 'must be the `revision` of the resource, a number.');
}

function requireText(name: string, given: unknown): string {
  if (typeof given === 'string') return given;
  throw refuseArgument(name, 'must be a string.');
}

/**
 * Returns arguments as texts for a path or a query: a list has commas between its values. Errors:
 * `validation_failed` for other values.
 */
function toTexts(entries: readonly [string, unknown][]): Record<string, string> {
  const toText = (name: string, value: unknown): string =>
    typeof value === 'number' ? String(value) : requireText(name, value);
  return Object.fromEntries(
    entries.map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map((one) => requireText(name, one)).join(',') : toText(name, value),
    ]),
  );
}
