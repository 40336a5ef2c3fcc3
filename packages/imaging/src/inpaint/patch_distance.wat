;; How far two patches of 7 × 7 pixels are apart, four bytes a pixel. Pixels are read four at a time; the column in the middle is read twice and
;; counts twice. Assembled into fill_by_patches.ts.
(module
  (import "patches" "memory" (memory 1))

  ;; Sum of the squared differences of four pixels at $a and $b.
  (func $quad (param $a i32) (param $b i32) (result v128)
    (local $x v128) (local $y v128) (local $d v128) (local $sum v128)
    (local.set $x (v128.load align=1 (local.get $a)))
    (local.set $y (v128.load align=1 (local.get $b)))
    (local.set $d
      (i16x8.sub (i16x8.extend_low_i8x16_u (local.get $x)) (i16x8.extend_low_i8x16_u (local.get $y))))
    (local.set $sum (i32x4.dot_i16x8_s (local.get $d) (local.get $d)))
    (local.set $d
      (i16x8.sub (i16x8.extend_high_i8x16_u (local.get $x)) (i16x8.extend_high_i8x16_u (local.get $y))))
    (i32x4.add (local.get $sum) (i32x4.dot_i16x8_s (local.get $d) (local.get $d))))

  ;; $a and $b: addresses of the first bytes of both patches; $stride: bytes of a row of the picture; $best: a sum above which the rest does
  ;; not matter. Answers the sum, or one above $best.
  (func (export "distance") (param $a i32) (param $b i32) (param $stride i32) (param $best i32) (result i32)
    (local $row i32) (local $sum v128) (local $total i32)
    (loop $rows
      (local.set $sum
        (i32x4.add
          (call $quad (local.get $a) (local.get $b))
          (call $quad (i32.add (local.get $a) (i32.const 12)) (i32.add (local.get $b) (i32.const 12)))))
      (local.set $total
        (i32.add
          (local.get $total)
          (i32.add
            (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
            (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum))))))
      (if (i32.gt_s (local.get $total) (local.get $best)) (then (return (local.get $total))))
      (local.set $a (i32.add (local.get $a) (local.get $stride)))
      (local.set $b (i32.add (local.get $b) (local.get $stride)))
      (local.set $row (i32.add (local.get $row) (i32.const 1)))
      (br_if $rows (i32.lt_s (local.get $row) (i32.const 7))))
    (local.get $total)))
