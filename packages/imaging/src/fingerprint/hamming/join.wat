;; Compares a block of codes with many query hashes, band by band (see NeedleTable in run_index.ts). Codes and query hashes are 32 bytes each; a hit
;; is two 32-bit numbers: the position of the code, then the query in the low 16 bits and the distance above.
(module
  (memory (import "table" "memory") 1)
  ;; Number of hits written by the last call of "compare".
  (global $hits (export "hits") (mut i32) (i32.const 0))

  ;; Lists the addresses of codes whose key in this band equals that of a query, or differs by one bit: $map has one bit per key. The loop is
  ;; branch-free. Returns the number of addresses.
  (func (export "gather")
    (param $codes i32) (param $count i32) (param $band i32) (param $map i32) (param $list i32)
    (result i32)
    (local $key i32) (local $start i32) (local $end i32)
    (local.set $start (local.get $list))
    (local.set $end (i32.add (local.get $codes) (i32.shl (local.get $count) (i32.const 5))))
    (block $done
      (loop $each
        (br_if $done (i32.ge_u (local.get $codes) (local.get $end)))
        (local.set $key (i32.load16_u (i32.add (local.get $codes) (i32.shl (local.get $band) (i32.const 1)))))
        (i32.store (local.get $list) (local.get $codes))
        (local.set $list (i32.add (local.get $list) (i32.shl
          (i32.and (i32.const 1) (i32.shr_u
            (i32.load8_u (i32.add (local.get $map) (i32.shr_u (local.get $key) (i32.const 3))))
            (i32.and (local.get $key) (i32.const 7))))
          (i32.const 2))))
        (local.set $codes (i32.add (local.get $codes) (i32.const 32)))
        (br $each)))
    (i32.shr_u (i32.sub (local.get $list) (local.get $start)) (i32.const 2)))

  ;; Compares listed codes with the queries under their keys. $heads: for each key the start of its queries in $entries, shifted by 12, and their
  ;; number. Returns how many of the list remain when $room has less space left than one hit per query.
  (func (export "compare")
    (param $list i32) (param $from i32) (param $count i32) (param $codes i32) (param $band i32)
    (param $needles i32) (param $needleCount i32) (param $heads i32) (param $entries i32)
    (param $radius i32) (param $out i32) (param $room i32)
    (result i32)
    (local $code i32) (local $at i32) (local $end i32) (local $needle i32) (local $distance i32)
    (global.set $hits (i32.const 0))
    (block $done
      (loop $each
        (br_if $done (i32.ge_u (local.get $from) (local.get $count)))
        (br_if $done (i32.gt_u (i32.add (global.get $hits) (local.get $needleCount)) (local.get $room)))
        (local.set $code (i32.load (i32.add (local.get $list) (i32.shl (local.get $from) (i32.const 2)))))
        (local.set $at (i32.load (i32.add (local.get $heads) (i32.shl
          (i32.load16_u (i32.add (local.get $code) (i32.shl (local.get $band) (i32.const 1))))
          (i32.const 2)))))
        (local.set $end (i32.and (local.get $at) (i32.const 0xfff)))
        (local.set $at (i32.add (local.get $entries) (i32.shl
          (i32.shr_u (local.get $at) (i32.const 12)) (i32.const 1))))
        (local.set $end (i32.add (local.get $at) (i32.shl (local.get $end) (i32.const 1))))
        (loop $bucket
          (local.set $needle (i32.add (local.get $needles) (i32.shl (i32.load16_u (local.get $at)) (i32.const 5))))
          (local.set $distance (i32.wrap_i64 (i64.add
            (i64.popcnt (i64.xor (i64.load (local.get $code)) (i64.load (local.get $needle))))
            (i64.popcnt (i64.xor (i64.load offset=8 (local.get $code)) (i64.load offset=8 (local.get $needle)))))))
          (if (i32.le_u (local.get $distance) (local.get $radius)) (then
            (local.set $distance (i32.add (local.get $distance) (i32.wrap_i64 (i64.add
              (i64.popcnt (i64.xor (i64.load offset=16 (local.get $code)) (i64.load offset=16 (local.get $needle))))
              (i64.popcnt (i64.xor (i64.load offset=24 (local.get $code)) (i64.load offset=24 (local.get $needle))))))))
            (if (i32.and
                  (i32.le_u (local.get $distance) (local.get $radius))
                  (call $isNew (local.get $code) (local.get $needle) (local.get $band)))
              (then
                (call $write (local.get $out)
                  (i32.shr_u (i32.sub (local.get $code) (local.get $codes)) (i32.const 5))
                  (i32.or (i32.load16_u (local.get $at)) (i32.shl (local.get $distance) (i32.const 16))))))))
          (local.set $at (i32.add (local.get $at) (i32.const 2)))
          (br_if $bucket (i32.lt_u (local.get $at) (local.get $end))))
        (local.set $from (i32.add (local.get $from) (i32.const 1)))
        (br $each)))
    (local.get $from))

  ;; Whether no earlier band has found this pair.
  (func $isNew (param $code i32) (param $needle i32) (param $band i32) (result i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $code) (i32.shl (local.get $band) (i32.const 1))))
    (block $checked
      (loop $bands
        (br_if $checked (i32.ge_u (local.get $code) (local.get $end)))
        (if (i32.le_u (i32.popcnt (i32.xor (i32.load16_u (local.get $code)) (i32.load16_u (local.get $needle))))
              (i32.const 1))
          (then (return (i32.const 0))))
        (local.set $code (i32.add (local.get $code) (i32.const 2)))
        (local.set $needle (i32.add (local.get $needle) (i32.const 2)))
        (br $bands)))
    (i32.const 1))

  (func $write (param $out i32) (param $place i32) (param $hit i32)
    (local.set $out (i32.add (local.get $out) (i32.shl (global.get $hits) (i32.const 3))))
    (i32.store (local.get $out) (local.get $place))
    (i32.store offset=4 (local.get $out) (local.get $hit))
    (global.set $hits (i32.add (global.get $hits) (i32.const 1))))
)
