// Mutants of print jobs: who may read them back, what may be sent to a printer, what is kept.

import type { Mutant } from './mutant.ts'

const queue = 'test/paper/print-jobs/print-queue.test.ts'
const kept = 'test/paper/print-jobs/kept-content.test.ts'
const attached = 'test/consignments/note-attachments.test.ts'

export const printing: Mutant[] = [
  {
    about: 'a token reads back what it may not read',
    file: 'src/paper/print-jobs/content.ts',
    from: '      requireScope(actor, readScopes)\n',
    to: '',
    tests: [queue],
  },
  {
    about: 'users of a partner read back what their colleagues printed',
    file: 'src/paper/print-jobs/content.ts',
    from: 'requestedBy !== actor.userId',
    to: 'false',
    tests: [queue],
  },
  {
    about: 'a partner sends printer language through a person of the organisation',
    file: 'src/consignments/note-attachments.ts',
    from: 'isOfPartner: attachment.isOfPartner || actor.partnerId !== null',
    to: 'isOfPartner: actor.partnerId !== null',
    tests: [attached],
  },
  {
    about: 'commands that set up a printer are sent to it',
    file: 'src/paper/attached-files/convert-for-printer.ts',
    from: 'if (setUp.length > 0)',
    to: 'if (setUp.length > 9)',
    tests: [attached],
  },
  {
    about: 'what an organisation keeps has no limit',
    file: 'src/paper/print-jobs/submit.ts',
    from: 'where kept_bytes +',
    to: 'where 0 *',
    tests: [kept],
  },
  {
    about: 'content that no job has any more still counts',
    file: 'migrations/005-consignments.sql',
    from: 'content.print_job_count = greatest(step, 0)',
    to: 'content.print_job_count = step',
    tests: [kept],
  },
  {
    about: 'three claims of a bridge wait',
    file: 'src/paper/printers/bridges/claim.ts',
    from: 'waiting >= maxWaiting',
    to: 'waiting > maxWaiting',
    tests: [queue],
  },
  {
    about: 'ZPL is sent once for each copy that it contains',
    file: 'src/paper/print-jobs/print-queue.ts',
    from: `case when j.content_type = 'application/zpl' then 1 else j.copies end`,
    to: 'j.copies',
    tests: [queue],
  },
]
