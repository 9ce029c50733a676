-- What came of proving the Draft schedules, in the background, so that whoever is to approve one is told
-- before that some of its transactions are not what is derived for them. An approval proves it again.
create table schedule_proof (
  organisation_id uuid not null,
  partner_schedule_id uuid not null,
  proved_utc timestamptz not null default now(),
  -- at least one transaction is not what is derived for it
  differs boolean not null,
  constraint schedule_proof_pkey primary key (organisation_id, partner_schedule_id),
  constraint schedule_proof_schedule_fkey foreign key (organisation_id, partner_schedule_id)
    references partner_schedule on delete cascade
);
create index schedule_proof_differs on schedule_proof (organisation_id, proved_utc) where differs;
create index partner_schedule_draft on partner_schedule (organisation_id, id) where status = 1;
