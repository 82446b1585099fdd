import {send} from '../api/send.ts';
import {Button} from '../parts/button.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {StandupText} from '../parts/standup-text.tsx';
import {useAction} from '../parts/use-action.ts';
import {formatList} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import {composeAnswersText} from './compose.ts';
import {composePartText, type DraftPart, insertDraftParts, type InsertDraft} from './insert-draft.ts';

/** Shows the parts of a draft, with the buttons that insert and discard them. */
export function DraftOffer({
  team,
  date,
  parts,
  onInsert,
  onDiscard,
}: {
  readonly team: string;
  readonly date: string;
  readonly parts: readonly DraftPart[];
  readonly onInsert: (insertDraft: InsertDraft) => void;
  readonly onDiscard: () => Promise<unknown>;
}) {
  const discarding = useAction(async () => {
    await send('delete', '/v1/drafts/{member}', {member: 'me', team, date});
    await onDiscard();
  });
  const {insert, discard, title} = texts.write.prepared;
  const sources = formatList(parts.map(({source}) => source));
  return (
    <section aria-label={title} className="grid min-w-0 gap-2.5 rounded-lg bg-inset px-3 py-2.5">
      <dl className="grid min-w-0 gap-2">
        {parts.map((part) => (
          <div className="min-w-0" key={part.source}>
            <dt className="text-xs text-quiet">{part.source}</dt>
            <dd className="line-clamp-6 min-w-0">
              <StandupText text={previewPart(part)} />
            </dd>
          </div>
        ))}
      </dl>
      {discarding.problem !== undefined && <ProblemNote problem={discarding.problem} />}
      <div className="flex flex-wrap gap-2">
        <Button
          onPress={() =>
            onInsert((fields, values, format) => insertDraftParts(parts, fields, values, format))
          }
        >
          {insert({sources})}
        </Button>
        <Button isPending={discarding.isPending} kind="quiet" onPress={() => void discarding.run()}>
          {discard}
        </Button>
      </div>
    </section>
  );
}

function previewPart(part: DraftPart): string {
  return [composePartText(part), composeAnswersText(part.answers)].filter((text) => text !== '').join('\n');
}
