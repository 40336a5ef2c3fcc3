-- Height and width of each work of a segment in millimetres (uint16, 0: unknown), for filters.
alter table artwork_segments add column heights bytea not null default ''::bytea;
alter table artwork_segments add column widths bytea not null default ''::bytea;

-- Low frequencies of the lightness, one signed byte each, and the proportion of the sides. Null: measured by an earlier version.
alter table artwork_looks add column layout bytea check (octet_length(layout) = 28);
