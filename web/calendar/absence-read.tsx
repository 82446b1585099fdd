import type {Absence} from '../api/schema.ts';
import {PersonName} from '../parts/person-name.tsx';
import {Sheet} from '../parts/sheet.tsx';
import {texts} from '../texts/texts.ts';
import styles from './absence-sheet.module.css';
import {findStatusOfDayOff} from './bars.ts';
import {KindIcon} from './kind-icon.tsx';
import {describeAbsence} from './wording.ts';

/** Shows an absence that the viewer may not change. */
export function AbsenceRead({absence, onClose}: {readonly absence: Absence; readonly onClose: () => void}) {
  const t = texts.calendar.form;
  const {member, kind, created_by: maker} = absence;
  return (
    <Sheet isOpen onClose={onClose} title={t.titleRead}>
      <div className={styles['read']}>
        <PersonName name={member.name} />
        <p>
          <KindIcon status={findStatusOfDayOff(kind)} /> {describeAbsence(absence)}
        </p>
        {maker.id !== member.id && <p className={styles['hint']}>{t.enteredBy({name: maker.name})}</p>}
      </div>
    </Sheet>
  );
}
