-- Command lines of earlier versions name nobody beside an act (0122), and write beside newer servers until all are upgraded.
alter table operator_acts alter column who set default 'command line';
