/** Asks on behalf of one of several simultaneous callers, and returns the answer for that caller. */
export type AskTogether<Question, Answer> = (
  name: string,
  question: Question,
  deadline: number,
) => Promise<Answer>;

/** Asks once for `count` callers, and answers each by its number, from 0 on. */
type Ask<Question, Answer> = (
  question: Question,
  count: number,
  deadline: number,
) => Promise<(n: number) => Answer>;

interface Group<Answer> {
  count: number;
  deadline: number;
  readonly answers: Promise<(n: number) => Answer>;
}

/** Deadlines this close together (ms) count as one. */
const togetherMs = 25;
/** A script for more callers would delay others. */
const mostTogether = 64;

/**
 * Makes one call to the store for all callers that ask the same in the same tick of the event loop. No caller
 * joins once it is sent, so that each learns what held after it asked. The same name means the same question.
 * `defer` runs a function in the next tick.
 */
export function createQuestionBatcher<Question, Answer>(
  ask: Ask<Question, Answer>,
  defer: (run: () => void) => unknown,
): AskTogether<Question, Answer> {
  const groups = new Map<string, Group<Answer>>();

  function openGroup(name: string, question: Question, deadline: number): Group<Answer> {
    const answers = new Promise<(n: number) => Answer>((resolve, reject) => {
      defer(() => {
        if (groups.get(name) === group) groups.delete(name);
        ask(question, group.count, group.deadline).then(resolve, reject);
      });
    });
    const group: Group<Answer> = {count: 0, deadline, answers};
    groups.set(name, group);
    return group;
  }

  return (name, question, deadline) => {
    let group = groups.get(name);
    const joins =
      group !== undefined && group.count < mostTogether && Math.abs(group.deadline - deadline) <= togetherMs;
    if (group === undefined || !joins) group = openGroup(name, question, deadline);
    const n = group.count;
    group.count += 1;
    return group.answers.then((answer) => answer(n));
  };
}
