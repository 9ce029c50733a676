-- Logos of partners, with the thumbnail made when they were uploaded. Spec 4.12.

create table partner_logo (
  organisation_id uuid not null,
  partner_id uuid not null,
  file_name text not null,
  content_type text not null,
  content bytea not null,
  -- a PNG of at most 256 pixels on either side
  thumbnail bytea not null,
  uploaded_utc timestamptz not null default now(),
  constraint partner_logo_pkey primary key (organisation_id, partner_id),
  constraint partner_logo_partner_fkey foreign key (organisation_id, partner_id) references partner
);
-- Images are compressed already.
alter table partner_logo alter column content set storage external,
  alter column thumbnail set storage external;
