;; Hamming distances of 256-bit codes. Codes are 32 bytes; a hit is two 32-bit numbers, the position of the code and its distance. Both functions
;; return the number of hits; only the first $room are written.
(module
  (memory (import "index" "memory") 1)

  ;; Compares the query with every code. Most codes are rejected by their first half.
  (func (export "scan")
    (param $codes i32) (param $count i32) (param $needle i32) (param $radius i32) (param $out i32) (param $room i32)
    (result i32)
    (local $n0 i64) (local $n1 i64) (local $n2 i64) (local $n3 i64)
    (local $at i32) (local $place i32) (local $distance i32) (local $hits i32)
    (local.set $n0 (i64.load (local.get $needle)))
    (local.set $n1 (i64.load offset=8 (local.get $needle)))
    (local.set $n2 (i64.load offset=16 (local.get $needle)))
    (local.set $n3 (i64.load offset=24 (local.get $needle)))
    (local.set $at (local.get $codes))
    (block $done
      (loop $codes
        (br_if $done (i32.ge_u (local.get $place) (local.get $count)))
        (local.set $distance (i32.wrap_i64 (i64.add
          (i64.popcnt (i64.xor (local.get $n0) (i64.load (local.get $at))))
          (i64.popcnt (i64.xor (local.get $n1) (i64.load offset=8 (local.get $at)))))))
        (if (i32.le_u (local.get $distance) (local.get $radius)) (then
          (local.set $distance (i32.add (local.get $distance) (i32.wrap_i64 (i64.add
            (i64.popcnt (i64.xor (local.get $n2) (i64.load offset=16 (local.get $at))))
            (i64.popcnt (i64.xor (local.get $n3) (i64.load offset=24 (local.get $at))))))))
          (if (i32.le_u (local.get $distance) (local.get $radius)) (then
            (call $write (local.get $out) (local.get $room) (local.get $hits) (local.get $place) (local.get $distance))
            (local.set $hits (i32.add (local.get $hits) (i32.const 1)))))))
        (local.set $at (i32.add (local.get $at) (i32.const 32)))
        (local.set $place (i32.add (local.get $place) (i32.const 1)))
        (br $codes)))
    (local.get $hits))

  ;; Multi-index hashing. Two codes at most 31 bits apart differ in at most one bit of at least one of their sixteen 16-bit bands, so the query is
  ;; compared with the codes under its own sixteen keys and those one bit away. $starts has 65537 numbers per band: the start of each key in that
  ;; band's list of positions.
  (func (export "lookup")
    (param $codes i32) (param $count i32) (param $places i32) (param $starts i32)
    (param $needle i32) (param $radius i32) (param $out i32) (param $room i32)
    (result i32)
    (local $n0 i64) (local $n1 i64) (local $n2 i64) (local $n3 i64)
    (local $band i32) (local $flip i32) (local $key i32) (local $start i32) (local $at i32) (local $end i32)
    (local $code i32) (local $distance i32) (local $hits i32)
    (local.set $n0 (i64.load (local.get $needle)))
    (local.set $n1 (i64.load offset=8 (local.get $needle)))
    (local.set $n2 (i64.load offset=16 (local.get $needle)))
    (local.set $n3 (i64.load offset=24 (local.get $needle)))
    (loop $bands
      (local.set $key (i32.load16_u (i32.add (local.get $needle) (i32.shl (local.get $band) (i32.const 1)))))
      (local.set $flip (i32.const 0))
      (loop $keys
        (local.set $start (i32.add (local.get $starts) (i32.shl
          (i32.xor (local.get $key) (i32.shr_u (local.get $flip) (i32.const 1))) (i32.const 2))))
        (local.set $at (i32.add (local.get $places) (i32.shl (i32.load (local.get $start)) (i32.const 2))))
        (local.set $end (i32.add (local.get $places) (i32.shl (i32.load offset=4 (local.get $start)) (i32.const 2))))
        (block $emptied
          (loop $bucket
            (br_if $emptied (i32.ge_u (local.get $at) (local.get $end)))
            (local.set $code (i32.add (local.get $codes) (i32.shl (i32.load (local.get $at)) (i32.const 5))))
            (local.set $distance (i32.wrap_i64 (i64.add
              (i64.popcnt (i64.xor (local.get $n0) (i64.load (local.get $code))))
              (i64.popcnt (i64.xor (local.get $n1) (i64.load offset=8 (local.get $code)))))))
            (if (i32.le_u (local.get $distance) (local.get $radius)) (then
              (local.set $distance (i32.add (local.get $distance) (i32.wrap_i64 (i64.add
                (i64.popcnt (i64.xor (local.get $n2) (i64.load offset=16 (local.get $code))))
                (i64.popcnt (i64.xor (local.get $n3) (i64.load offset=24 (local.get $code))))))))
              (if (i32.and
                    (i32.le_u (local.get $distance) (local.get $radius))
                    (call $isNew (local.get $code) (local.get $needle) (local.get $band)))
                (then
                  (call $write (local.get $out) (local.get $room) (local.get $hits)
                    (i32.load (local.get $at)) (local.get $distance))
                  (local.set $hits (i32.add (local.get $hits) (i32.const 1)))))))
            (local.set $at (i32.add (local.get $at) (i32.const 4)))
            (br $bucket)))
        ;; 0, 2, 4, … 0x10000: no bit of the key, then each one.
        (local.set $flip (if (result i32) (local.get $flip)
          (then (i32.shl (local.get $flip) (i32.const 1))) (else (i32.const 2))))
        (br_if $keys (i32.le_u (local.get $flip) (i32.const 0x10000))))
      (local.set $starts (i32.add (local.get $starts) (i32.const 262148)))
      (local.set $places (i32.add (local.get $places) (i32.shl (local.get $count) (i32.const 2))))
      (local.set $band (i32.add (local.get $band) (i32.const 1)))
      (br_if $bands (i32.lt_u (local.get $band) (i32.const 16))))
    (local.get $hits))

  ;; Whether no earlier band has found this code.
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

  (func $write (param $out i32) (param $room i32) (param $hits i32) (param $place i32) (param $distance i32)
    (if (i32.ge_u (local.get $hits) (local.get $room)) (then (return)))
    (local.set $out (i32.add (local.get $out) (i32.shl (local.get $hits) (i32.const 3))))
    (i32.store (local.get $out) (local.get $place))
    (i32.store offset=4 (local.get $out) (local.get $distance)))
)
