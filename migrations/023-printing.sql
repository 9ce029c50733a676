-- Printers, the bridges that connect to them, and print jobs. Spec 2.16, 4.15.

-- A printer bridge is a program in a warehouse that fetches print jobs and sends them to printers. Only the
-- bridge knows the addresses of the printers. Statuses: 1 Active, 2 Inactive.
create table printer_bridge (
  organisation_id uuid not null,
  id uuid not null,
  name text not null,
  warehouse_id uuid not null,
  -- The bridge signs in as this app.
  custom_app_id uuid not null,
  version text,
  last_seen_utc timestamptz,
  status smallint not null default 1 constraint printer_bridge_status check (status in (1, 2)),
  created_utc timestamptz not null default now(),
  constraint printer_bridge_pkey primary key (organisation_id, id),
  constraint printer_bridge_app_key unique (organisation_id, custom_app_id),
  constraint printer_bridge_warehouse_fkey foreign key (organisation_id, warehouse_id) references warehouse,
  constraint printer_bridge_app_fkey foreign key (organisation_id, custom_app_id) references custom_app
) with (fillfactor = 70);
create unique index printer_bridge_name_key on printer_bridge (organisation_id, lower(name));
create index printer_bridge_of_warehouse on printer_bridge (organisation_id, warehouse_id);

-- Types: 1 Label, 2 Document. Languages: 1 Pdf, 2 Zpl. Statuses: 1 Active, 2 Inactive. Whether a printer is
-- online is not stored: it follows from these columns and from the time its bridge was last seen.
create table printer (
  organisation_id uuid not null,
  id uuid not null,
  name text not null,
  type smallint not null constraint printer_type check (type in (1, 2)),
  warehouse_id uuid not null,
  -- The bridge that announces the printer; null if no bridge does.
  printer_bridge_id uuid,
  language smallint not null default 1 constraint printer_language check (language in (1, 2)),
  -- The resolution in dots per millimetre. ZPL printers must have one.
  dots_per_mm smallint constraint printer_dots check (dots_per_mm in (6, 8, 12, 24)),
  -- The loaded media, by their IPP names such as iso_a4_210x297mm.
  media text[] not null default '{}',
  -- The default printer prints the labels or documents of its warehouse when a request names no printer.
  is_default boolean not null default false,
  is_reachable boolean not null default false,
  -- Why the printer is not reachable, as its bridge reports it, such as "out of paper".
  reason text,
  status smallint not null default 1 constraint printer_status check (status in (1, 2)),
  -- A job that no bridge claims within this many minutes is given up.
  keep_minutes integer not null default 60 constraint printer_keep check (keep_minutes between 1 and 10080),
  created_utc timestamptz not null default now(),
  constraint printer_pkey primary key (organisation_id, id),
  constraint printer_warehouse_fkey foreign key (organisation_id, warehouse_id) references warehouse,
  constraint printer_bridge_fkey foreign key (organisation_id, printer_bridge_id) references printer_bridge,
  constraint printer_zpl check (language = 1 or dots_per_mm is not null),
  constraint printer_default check (status = 1 or not is_default)
) with (fillfactor = 70);
create unique index printer_name_key on printer (organisation_id, warehouse_id, lower(name));
create unique index printer_default_key on printer (organisation_id, warehouse_id, type)
  where is_default;
create index printer_of_bridge on printer (organisation_id, printer_bridge_id);

-- Statuses: 1 Pending, 2 InProgress, 3 Success, 4 Failed, 5 Cancelled. Phases: 1 Waiting, 2 Claimed,
-- 3 Sending, 4 Sent. From phase Sending on, the printer may have received part of the job, so it is sent
-- again only if a user asks for it.
create table print_job (
  organisation_id uuid not null,
  id uuid not null,
  printer_id uuid not null,
  -- The partner that the job belongs to. Users of a partner see only the jobs of their own partner.
  partner_id uuid,
  consignment_id uuid,
  -- The kind of paper. The values are in src/vocabulary/paper.ts.
  kind smallint not null,
  name text not null,
  content_type text not null,
  -- Null once the content is no longer kept.
  content_sha256 bytea,
  pages integer,
  copies smallint not null default 1 constraint print_job_copies check (copies between 1 and 99),
  -- 1 Portrait, 2 Landscape
  orientation smallint constraint print_job_orientation check (orientation in (1, 2)),
  media text,
  status smallint not null default 1 constraint print_job_status check (status between 1 and 5),
  phase smallint not null default 1 constraint print_job_phase check (phase between 1 and 4),
  -- True if it is unknown whether the job was printed in full, in part or not at all.
  is_in_doubt boolean not null default false,
  -- Why the job failed, or why the printer refused it most recently.
  message text,
  -- [{atUtc, printerName, result, phase, message}], one entry for each time that a bridge held the job.
  attempts jsonb not null default '[]',
  -- The number of times in a row that the printer refused the job.
  refusals smallint not null default 0,
  -- Every new lease increments this number. A report with another number is rejected.
  lease_number integer not null default 0,
  -- The bridge that holds the job, or held it last.
  printer_bridge_id uuid,
  -- While Pending, when the job may be claimed; while InProgress, when the lease of its bridge ends.
  due_utc timestamptz not null default now(),
  -- While Pending, when the job is given up.
  expires_utc timestamptz not null,
  requested_by uuid not null,
  identity_connection_id uuid not null,
  -- The scopes of which a token needs one to read the content: those of what was printed.
  read_scopes text[] not null,
  -- [{atUtc, userName, printerName}], one entry for each time that a user had the job printed again.
  retries jsonb not null default '[]',
  -- [{atUtc, userName}], one entry for each time that a user cancelled the job.
  cancellations jsonb not null default '[]',
  created_utc timestamptz not null default now(),
  finished_utc timestamptz,
  search_text text generated always as (lower(name)) stored,
  constraint print_job_pkey primary key (organisation_id, id),
  constraint print_job_printer_fkey foreign key (organisation_id, printer_id) references printer,
  constraint print_job_bridge_fkey foreign key (organisation_id, printer_bridge_id)
    references printer_bridge,
  constraint print_job_content_fkey foreign key (organisation_id, content_sha256) references file_content,
  constraint print_job_partner_fkey foreign key (organisation_id, partner_id) references partner,
  constraint print_job_consignment_fkey foreign key (organisation_id, consignment_id) references consignment,
  constraint print_job_requested_by_fkey foreign key (organisation_id, requested_by) references app_user,
  constraint print_job_connection_fkey foreign key (organisation_id, identity_connection_id)
    references identity_connection,
  constraint print_job_finished check ((status > 2) = (finished_utc is not null)),
  constraint print_job_open check (status > 2 or content_sha256 is not null),
  constraint print_job_held check (status <> 2 or printer_bridge_id is not null),
  constraint print_job_doubt check (status = 4 or not is_in_doubt)
) with (fillfactor = 80);
create trigger count_file_reference after insert on print_job
  for each row execute function count_file_reference();
create trigger count_lost_file_reference after update of content_sha256 on print_job
  for each row when (old.content_sha256 is not null and new.content_sha256 is null)
  execute function count_file_reference();
create trigger count_deleted_file_reference after delete on print_job
  for each row when (old.content_sha256 is not null) execute function count_file_reference();

-- Each printer prints its jobs in order of creation, one at a time.
create index print_job_queue on print_job (organisation_id, printer_id, created_utc, id) where status = 1;
create unique index print_job_at_printer on print_job (organisation_id, printer_id) where status = 2;
create index print_job_lease on print_job (due_utc) where status = 2;
create index print_job_expiry on print_job (expires_utc) where status = 1;
create index print_job_finished_utc on print_job (finished_utc) where status > 2;
create index print_job_content on print_job (finished_utc) where status > 2 and content_sha256 is not null;
create index print_job_of_content on print_job (organisation_id, content_sha256)
  where content_sha256 is not null;
create index print_job_newest on print_job (organisation_id, created_utc, id);
create index print_job_of_printer on print_job (organisation_id, printer_id, created_utc, id);
create index print_job_of_partner on print_job (organisation_id, partner_id, created_utc, id);
create index print_job_of_consignment on print_job (organisation_id, consignment_id, created_utc, id);
create index print_job_search on print_job using gin (organisation_id, search_text gin_trgm_ops);

-- The history leaves out what a bridge reports all the time: that it is online, and which printers it
-- reaches.
create trigger record_administration after insert or update of name, warehouse_id, status on printer_bridge
  for each row execute function record_administration('printer-bridge');
create trigger record_administration after insert or update of name, type, warehouse_id,
    printer_bridge_id, language, dots_per_mm, media, is_default, status, keep_minutes on printer
  for each row execute function record_administration('printer');
