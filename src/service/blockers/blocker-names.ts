import {parseWire} from '../../domain/core/resource.js';
import type {PrincipalReference, RequestContext} from '../../domain/core/access.js';
import type {Blocker, NamedBlocker} from '../../domain/blockers/blocker.js';
import type {Records} from '../../store/core/records.js';
import type {Answer} from '../core/answers.js';

/** Adds the current names of the members who acknowledged or resolved a blocker. */
export interface NameActors {
  nameActors: (access: RequestContext, blockers: readonly Blocker[]) => Promise<NamedBlocker[]>;
  /** Adds the names to the answer of a mutation, even if the answer is a repeated one. */
  nameAnswer: (access: RequestContext, answer: Answer<Blocker>) => Promise<Answer<NamedBlocker>>;
}

export function createActorNamer({records}: {readonly records: Pick<Records, 'findMany'>}): NameActors {
  async function nameActors(
    {workspace, deadline}: RequestContext,
    blockers: readonly Blocker[],
  ): Promise<NamedBlocker[]> {
    const actors = blockers.flatMap(({acknowledged_by, resolved_by}) => [acknowledged_by, resolved_by]);
    const ids = [...new Set(actors.flatMap((actor) => actor?.id ?? []))];
    const found = await records.findMany(workspace, ids, deadline);
    const names = new Map(ids.map((id, i) => [id, found[i]?.name ?? null]));
    const named = (actor: PrincipalReference | null): NamedBlocker['resolved_by'] =>
      actor && {...actor, name: names.get(actor.id) ?? null};
    return blockers.map((blocker) => ({
      ...blocker,
      acknowledged_by: named(blocker.acknowledged_by),
      resolved_by: named(blocker.resolved_by),
    }));
  }

  return {
    nameActors,
    async nameAnswer(access, answer) {
      const [named] = await nameActors(access, [parseWire(answer.body)]);
      return {...answer, body: JSON.stringify(named)};
    },
  };
}
