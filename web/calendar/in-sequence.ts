interface RevisedResource {
  readonly id: string;
  readonly revision: number;
}

/**
 * Sends changes of one object one after another, each with the revision that the change before it returned.
 * The page's lists still contain an older revision.
 */
export function createSequentialSender<Thing extends RevisedResource, Change>(
  send: (thing: Thing, revision: number, change: Change) => Promise<Thing>,
): (thing: Thing, change: Change) => Promise<Thing> {
  let earlier: Promise<Thing | undefined> = Promise.resolve(undefined);
  return (thing, change) => {
    const answer = earlier.then((known) => {
      const revision = known?.id === thing.id ? Math.max(known.revision, thing.revision) : thing.revision;
      return send(thing, revision, change);
    });
    earlier = answer.catch(() => undefined);
    return answer;
  };
}
