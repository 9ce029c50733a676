-- Printers, the bridges that reach them, and what is to be printed. Spec 2.16, 4.15.

-- A program in a warehouse that fetches print jobs and hands them to printers. It alone knows their
-- addresses. Statuses: 1 Active, 2 Inactive.
create table printer_bridge (
  organisation_id uuid not null,
  id uuid not null,
  name text not null,
  warehouse_id uuid not null,
  -- what it signs in as
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

-- Types: 1 Label, 2 Document. Languages: 1 Pdf, 2 Zpl. Statuses: 1 Active, 2 Inactive. Whether it is online
-- follows from these columns and from when its bridge was last seen.
create table printer (
  organisation_id uuid not null,
  id uuid not null,
  name text not null,
  type smallint not null constraint printer_type check (type in (1, 2)),
  warehouse_id uuid not null,
  -- which bridge announces it; null: none
  printer_bridge_id uuid,
  language smallint not null default 1 constraint printer_language check (language in (1, 2)),
  -- how fine it prints, dots in a millimetre; known of those that take ZPL
  dots_per_mm smallint constraint printer_dots check (dots_per_mm in (6, 8, 12, 24)),
  -- what is in it, by the names of IPP such as iso_a4_210x297mm
  media text[] not null default '{}',
  -- where nothing else is asked for, what is of its type is printed here
  is_default boolean not null default false,
  is_reachable boolean not null default false,
  -- why it is not, as the bridge says: "out of paper"
  reason text,
  status smallint not null default 1 constraint printer_status check (status in (1, 2)),
  -- how long a job waits to be taken before it is given up
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

-- Statuses: 1 Pending, 2 InProgress, 3 Success, 4 Failed, 5 Cancelled. Phases: 1 Waiting, 2 Claimed, 3
-- Sending, 4 Sent. From Sending on a byte of it may be on its way to the printer, and it is not sent again
-- unless a person says so.
create table print_job (
  organisation_id uuid not null,
  id uuid not null,
  printer_id uuid not null,
  -- whose paper it is: people of a partner see those of their own only
  partner_id uuid,
  consignment_id uuid,
  -- what is printed; src/paper/enumerations.ts has the values
  kind smallint not null,
  name text not null,
  content_type text not null,
  -- null once it is forgotten
  content bytea,
  sha256 text not null,
  pages integer,
  copies smallint not null default 1 constraint print_job_copies check (copies between 1 and 99),
  -- 1 Portrait, 2 Landscape
  orientation smallint constraint print_job_orientation check (orientation in (1, 2)),
  media text,
  status smallint not null default 1 constraint print_job_status check (status between 1 and 5),
  phase smallint not null default 1 constraint print_job_phase check (phase between 1 and 4),
  -- it may be on paper, in part or whole, or not: nobody knows
  is_in_doubt boolean not null default false,
  -- why it has failed, or was refused last
  message text,
  -- [{atUtc, result, phase, message}], one for each time that a bridge had it
  attempts jsonb not null default '[]',
  -- how often the printer has refused it in a row
  refusals smallint not null default 0,
  -- raised whenever somebody else comes to hold it: who writes must know the number
  lease_number integer not null default 0,
  -- which bridge has it, or had it last
  printer_bridge_id uuid,
  -- Pending: when it may be claimed; InProgress: when the lease of its bridge ends
  due_utc timestamptz not null default now(),
  -- Pending: when it is given up
  expires_utc timestamptz not null,
  requested_by uuid not null,
  identity_connection_id uuid not null,
  created_utc timestamptz not null default now(),
  finished_utc timestamptz,
  search_text text generated always as (lower(name)) stored,
  constraint print_job_pkey primary key (organisation_id, id),
  constraint print_job_printer_fkey foreign key (organisation_id, printer_id) references printer,
  constraint print_job_bridge_fkey foreign key (organisation_id, printer_bridge_id)
    references printer_bridge,
  constraint print_job_partner_fkey foreign key (organisation_id, partner_id) references partner,
  constraint print_job_consignment_fkey foreign key (organisation_id, consignment_id) references consignment,
  constraint print_job_requested_by_fkey foreign key (organisation_id, requested_by) references app_user,
  constraint print_job_connection_fkey foreign key (organisation_id, identity_connection_id)
    references identity_connection,
  constraint print_job_finished check ((status > 2) = (finished_utc is not null)),
  constraint print_job_open check (status > 2 or content is not null),
  constraint print_job_held check (status <> 2 or printer_bridge_id is not null),
  constraint print_job_doubt check (status = 4 or not is_in_doubt)
) with (fillfactor = 80);
-- Compressed already, or soon read whole.
alter table print_job alter column content set storage external;

-- First in, first out at each printer, one at a time.
create index print_job_queue on print_job (organisation_id, printer_id, created_utc, id) where status = 1;
create unique index print_job_at_printer on print_job (organisation_id, printer_id) where status = 2;
create index print_job_lease on print_job (due_utc) where status = 2;
create index print_job_expiry on print_job (expires_utc) where status = 1;
create index print_job_finished_utc on print_job (finished_utc) where status > 2;
create index print_job_content on print_job (finished_utc) where status > 2 and content is not null;
create index print_job_newest on print_job (organisation_id, created_utc, id);
create index print_job_of_printer on print_job (organisation_id, printer_id, created_utc, id);
create index print_job_of_partner on print_job (organisation_id, partner_id, created_utc, id);
create index print_job_of_consignment on print_job (organisation_id, consignment_id, created_utc, id);
create index print_job_search on print_job using gin (organisation_id, search_text gin_trgm_ops);
