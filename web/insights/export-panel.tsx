import {readStream} from '../api/read.ts';
import {Card} from '../parts/card.tsx';
import {DownloadButton} from '../parts/download-status.tsx';
import type {DownloadedFile} from '../parts/download.ts';
import {texts} from '../texts/texts.ts';

interface ExportRange {
  readonly team: string;
  readonly since: string;
  readonly until: string;
}

export function ExportPanel({team, since, until}: ExportRange) {
  const say = texts.insights.export;
  const query = {team, format: 'csv'} as const;
  return (
    <Card label={say.heading}>
      <h2>{say.heading}</h2>
      <div className="mt-2 grid grid-cols-[repeat(auto-fit,minmax(min(260px,100%),1fr))] gap-x-8 gap-y-4">
        <ExportedFile
          name={`participation-${team}-${since}-${until}`}
          open={(signal) => readStream('/v1/export/participation', {...query, since, until}, signal)}
          text={say.participationText}
          title={say.participation}
          label={say.start.participation}
        />
        <ExportedFile
          name={`absences-${team}-${since}-${until}`}
          open={(signal) => readStream('/v1/export/absences', {...query, from: since, until}, signal)}
          text={say.absencesText}
          title={say.absences}
          label={say.start.absences}
        />
      </div>
    </Card>
  );
}

interface ExportedFileProps extends Pick<DownloadedFile, 'name' | 'open'> {
  readonly title: string;
  readonly label: string;
  readonly text: string;
}

function ExportedFile({name, title, label, text, open}: ExportedFileProps) {
  const say = texts.insights.export;
  return (
    <section aria-label={title}>
      <h3 className="font-semibold">{title}</h3>
      <p className="mb-2 text-quiet">{text}</p>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <DownloadButton
          cancel={say.stop}
          file={{name: `${name}.csv`, type: 'text/csv', open}}
          label={label}
        />
      </div>
    </section>
  );
}
