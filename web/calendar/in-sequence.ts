interface RevisedResource {
  readonly id: string;
  readonly revision: number;
}

/** Sends one object's changes in sequence, each with the revision that the previous one returned. */
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
