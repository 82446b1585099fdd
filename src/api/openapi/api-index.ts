import type {Request, Response} from 'express';
import {mcpPath} from '../http/mcp-resource.js';
import {createContentEtag} from '../http/present.js';
import type {Route} from '../http/route.js';

/**
 * Creates the index at `/v1`: the documents, and the path of everything that can be read. A path with a gap,
 * such as `{team}`, needs an id there.
 */
export function createApiIndex(routes: readonly Route[], publicUrl: string) {
  const reads = routes.filter(({method}) => method === 'GET');
  return {
    object: 'index',
    documentation: `${publicUrl}/docs`,
    openapi: `${publicUrl}/openapi.json`,
    llms: `${publicUrl}/llms.txt`,
    mcp: `${publicUrl}${mcpPath}`,
    links: Object.fromEntries(reads.map(({operation, path}) => [nameLink(operation, reads), path])),
  };
}

/** Answers with the index. Express answers 304 to a caller who has it. */
export function presentApiIndex(routes: readonly Route[], publicUrl: string) {
  const content = JSON.stringify(createApiIndex(routes, publicUrl));
  const headers = {ETag: createContentEtag(content), 'Cache-Control': 'public, max-age=300'};
  return (_: Request, response: Response) => void response.set(headers).type('json').send(content);
}

/** Turns `listTeamMembers` into `team_members`. The verb stays where another operation reads the same noun. */
function nameLink(operation: string, reads: readonly Route[]): string {
  const isAlone = reads.filter((other) => nounOf(other.operation) === nounOf(operation)).length === 1;
  const name = isAlone ? nounOf(operation) : operation;
  return name.replaceAll(/(?<=[a-z])[A-Z]/g, '_$&').toLowerCase();
}

function nounOf(operation: string): string {
  return operation.replace(/^(?:get|list)(?=[A-Z])/, '');
}
