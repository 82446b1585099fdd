import type {z} from 'zod';
import type {Route} from '../http/route.js';
import type {JsonObject} from './components.js';

/**
 * Describes the operations that take the id of what an operation made, with the expressions that fill their
 * paths. Undefined: the operation makes nothing with an id, or no path takes it.
 */
export function describeLinks(route: Route, routes: readonly Route[]): JsonObject | undefined {
  const kind = findCreatedKind(route, routes);
  const known = new Set(listPathParameters(route));
  const targets = routes.filter((target) => {
    const needed = listPathParameters(target);
    return needed.includes(kind ?? '') && needed.every((name) => name === kind || known.has(name));
  });
  if (targets.length === 0) return undefined;
  return Object.fromEntries(
    targets.map((target) => [
      target.operation,
      {
        operationId: target.operation,
        description: target.summary,
        parameters: Object.fromEntries(
          listPathParameters(target).map((name) => [
            name,
            name === kind ? '$response.body#/id' : `$request.path.${name}`,
          ]),
        ),
      },
    ]),
  );
}

/**
 * Returns the name by which paths take the id of what an operation made: the parameter below its own path, or
 * else the value of the field `object`.
 */
function findCreatedKind(
  {path, success: {status, schema}}: Route,
  routes: readonly Route[],
): string | undefined {
  const {id, object} = (schema as Partial<z.ZodObject> | undefined)?.shape ?? {};
  if ((status !== 201 && status !== 202) || id === undefined) return undefined;
  const below = routes.find((route) => path === route.path.replace(/\/\{\w+\}$/, '') && path !== route.path);
  const [name] = below === undefined ? [] : listPathParameters(below).slice(-1);
  const {value} = (object ?? {}) as Partial<z.ZodLiteral<string>>;
  // A run is found by its date, which is no id.
  return name === 'date' ? undefined : (name ?? value);
}

function listPathParameters({path}: Route): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}
