import {suggestNearMatches} from '../../domain/core/text.js';
import type {Route} from './route.js';

type RoutePath = Pick<Route, 'path'>;

/** The maximum length of a suggested address: longer than any address of the API. */
const maxPath = 300;
const maxSegments = 10;

/**
 * Returns the sentence for an address that does not exist. It suggests the address that was probably meant,
 * or else addresses that begin the same way. `help`: the URL of the documentation.
 */
export function createAddressSuggester(routes: readonly RoutePath[], help: string): (path: string) => string {
  const templates = [...new Set(routes.map(({path}) => path))].map(splitPath);

  function findSimilarAddresses(given: readonly string[]): string[] {
    const meant = templates.flatMap((template) => fillTemplate(template, given) ?? []);
    return [...new Set(meant)].slice(0, 3);
  }

  function listAddressesBelow(given: readonly string[]): string[] {
    for (let kept = given.length - 1; kept > 1; kept--) {
      const under = templates.filter(
        (template) => template.length > kept && startsWithSegments(template, given.slice(0, kept)),
      );
      const found = under.map((template) => joinSegments([...given.slice(0, kept), ...template.slice(kept)]));
      if (found.length > 0) return found;
    }
    return [];
  }

  return function suggestAddress(path) {
    const given = splitPath(path);
    const isSane = path.length <= maxPath && given.length <= maxSegments;
    const meant = isSane ? findSimilarAddresses(given) : [];
    if (meant.length > 0) return `Did you mean ${meant.join(' or ')}? ${help}`;
    const near = isSane ? listAddressesBelow(given) : [];
    return near.length === 0 ? help : `Below it there is ${near.join(', ')}. ${help}`;
  };
}

function splitPath(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '');
}

function joinSegments(segments: readonly string[]): string {
  return `/${segments.join('/')}`;
}

function isPathParameter(segment: string): boolean {
  return segment.startsWith('{');
}

/** True when a path template begins with exactly these segments. */
function startsWithSegments(template: readonly string[], given: readonly string[]): boolean {
  return given.every((segment, i) => isPathParameter(template[i] ?? '') || template[i] === segment);
}

/** Fills the requested path into a template, if it is only misspelt or lacks the version in front. */
function fillTemplate(template: readonly string[], given: readonly string[]): string | undefined {
  const [version = ''] = template;
  const whole = given.length === template.length - 1 ? [version, ...given] : given;
  if (whole.length !== template.length) return undefined;
  const filled = template.map((segment, i) => {
    const typed = whole[i] ?? '';
    if (isPathParameter(segment)) return typed;
    return segment === typed || isTypoOfSegment(typed, segment) ? segment : undefined;
  });
  return filled.includes(undefined) ? undefined : joinSegments(filled.map(String));
}

function isTypoOfSegment(typed: string, segment: string): boolean {
  return suggestNearMatches(typed, [segment]) !== '';
}
