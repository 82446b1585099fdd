import {lazy, Suspense, useId, useState} from 'react';
import {texts} from '../texts/texts.ts';
import {labelClass} from './field-classes.ts';
import {StandupText} from './standup-text.tsx';
import {TextArea} from './text-area.tsx';

const FormattingTools = lazy(async () => ({
  default: (await import('./formatting/tools.tsx')).FormattingTools,
}));

interface MarkdownAreaProps extends React.ComponentProps<typeof TextArea> {
  /** True to show what readers will see, in place of the field. */
  readonly isPreview: boolean;
  /** The slug of the team whose people are suggested first in mentions. */
  readonly team?: string | undefined;
}

/** A text field for Markdown, with keys for formatting. */
export function MarkdownArea({isPreview, team, ...field}: MarkdownAreaProps) {
  const [area, setArea] = useState<HTMLTextAreaElement>();
  if (isPreview) return <Preview label={field.label} text={field.value ?? ''} />;
  return (
    <div onFocus={({target}) => target instanceof HTMLTextAreaElement && setArea(target)}>
      <TextArea {...field} />
      {area !== undefined && (
        <Suspense>
          <FormattingTools area={area} team={team} />
        </Suspense>
      )}
    </div>
  );
}

function Preview({label, text}: {readonly label: string; readonly text: string}) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid min-w-0 gap-1">
      <h3 className={labelClass} id={id}>
        {label}
      </h3>
      <div className="min-h-row min-w-0 rounded-lg border border-line bg-inset px-3 py-[7px]">
        {text.trim() === '' ? (
          <p className="text-quiet">{texts.write.nothingToShow}</p>
        ) : (
          <StandupText format="markdown" text={text} />
        )}
      </div>
    </section>
  );
}
