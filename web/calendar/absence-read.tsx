import type {Absence} from '../api/schema.ts';
import {PersonName} from '../parts/person-name.tsx';
import {Sheet} from '../parts/sheet.tsx';
import {texts} from '../texts/texts.ts';
import {findStatusOfDayOff} from './bars.ts';
import {KindIcon} from './kind-icon.tsx';
import {describeAbsence} from './wording.ts';

/** Shows an absence that the viewer may not change. */
export function AbsenceRead({absence, onClose}: {readonly absence: Absence; readonly onClose: () => void}) {
  const t = texts.calendar.form;
  const {member, kind, created_by: maker} = absence;
  return (
    <Sheet isOpen onClose={onClose} title={t.titleRead}>
      <div className="grid gap-3">
        <PersonName name={member.name} />
        <p className="flex gap-2">
          <KindIcon status={findStatusOfDayOff(kind)} /> {describeAbsence(absence)}
        </p>
        {maker.id !== member.id && <p className="text-xs text-quiet">{t.enteredBy({name: maker.name})}</p>}
      </div>
    </Sheet>
  );
}
